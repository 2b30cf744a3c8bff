//! [`Tag`]: the part-of-speech tags of the Penn Treebank, and one more for the auxiliaries, spelled as in the reference
//! annotation of the WikiTableQuestions dataset.

/// Declares the enum, the list of its members and their spellings from one table.
macro_rules! tags {
    ($($name:ident $spelling:literal $meaning:literal,)*) => {
        /// Part of speech of a token.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Tag { $(#[doc = $meaning] $name,)* }

        impl Tag {
            /// Every tag, in the order of their numbers.
            pub const ALL: &[Tag] = &[$(Tag::$name,)*];

            /// Returns the spelling of the reference annotation: `NNS`, `VBD-AUX`, `-LRB-`.
            pub fn as_str(self) -> &'static str {
                match self { $(Tag::$name => $spelling,)* }
            }
        }
    };
}

tags! {
    Nn "NN" "A noun in the singular: *team*.",
    Nns "NNS" "A noun in the plural: *teams*.",
    Nnp "NNP" "A proper noun: *brazil*.",
    Nnps "NNPS" "A proper noun in the plural: *yankees*.",
    Cd "CD" "A number: *three*, *2009*.",
    Jj "JJ" "An adjective: *first*, *high*.",
    Jjr "JJR" "A comparative: *higher*.",
    Jjs "JJS" "A superlative: *highest*.",
    Rb "RB" "An adverb: *not*, *only*.",
    Rbr "RBR" "A comparative adverb: *later*.",
    Rbs "RBS" "A superlative adverb: *most*.",
    Vb "VB" "A verb in its base form: *win*.",
    Vbd "VBD" "A verb in the past tense: *won*.",
    Vbg "VBG" "A verb ending in -ing: *winning*.",
    Vbn "VBN" "A past participle: *listed*.",
    Vbp "VBP" "A verb in the present, not third person: *they win*.",
    Vbz "VBZ" "A verb in the third person: *wins*.",
    Aux "VBD-AUX" "A form of be, have or do, or a modal: *was*, *did*, *can*.",
    Md "MD" "A modal that is shortened: *'d*, *'ll*.",
    In "IN" "A preposition: *of*, *than*.",
    To "TO" "*to*.",
    Dt "DT" "A determiner: *the*.",
    Pdt "PDT" "A word before a determiner: *all the*.",
    Wdt "WDT" "*which* or *what* before a noun.",
    Wp "WP" "*who*, *what*.",
    Wps "WP$" "*whose*.",
    Wrb "WRB" "*how*, *when*, *where*.",
    Prp "PRP" "A pronoun: *he*.",
    Prps "PRP$" "A possessive pronoun: *his*.",
    Pos "POS" "The possessive ending *'s*.",
    Cc "CC" "A conjunction: *and*.",
    Rp "RP" "A particle: *up*.",
    Ex "EX" "*there* in *there is*.",
    Fw "FW" "A foreign word.",
    Uh "UH" "An interjection: *yes*.",
    Ls "LS" "The mark of a list item.",
    Sym "SYM" "A symbol.",
    Stop "." "The end of a sentence.",
    Comma "," "A comma.",
    Colon ":" "A colon, semicolon or dash.",
    Open "``" "An opening quote.",
    Close "''" "A closing quote.",
    Lrb "-LRB-" "An opening bracket.",
    Rrb "-RRB-" "A closing bracket.",
    Dollar "$" "A currency sign.",
    Hash "#" "A number sign, or the pound.",
}

impl Tag {
    /// Returns the tag with this spelling. Square and curly brackets count as round ones.
    pub fn parse(spelling: &str) -> Option<Tag> {
        match spelling {
            "-LSB-" | "-LCB-" => Some(Tag::Lrb),
            "-RSB-" | "-RCB-" => Some(Tag::Rrb),
            _ => Tag::ALL.iter().copied().find(|tag| tag.as_str() == spelling),
        }
    }

    /// Returns `N` for nouns, `V` for verbs and `W` for question words, and the spelling of every other tag.
    pub fn coarse(self) -> &'static str {
        match self.as_str().as_bytes()[0] {
            b'N' => "N",
            b'V' => "V",
            b'W' => "W",
            _ => self.as_str(),
        }
    }

    /// True for nouns of all four kinds.
    pub fn is_noun(self) -> bool {
        self.coarse() == "N"
    }

    /// True for verbs, including auxiliaries.
    pub fn is_verb(self) -> bool {
        self.coarse() == "V"
    }

    /// True for question words, and for relative pronouns, which have the same tags.
    pub fn is_wh(self) -> bool {
        self.coarse() == "W"
    }

    /// True for adjectives, including comparatives and superlatives.
    pub fn is_adjective(self) -> bool {
        matches!(self, Tag::Jj | Tag::Jjr | Tag::Jjs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_read_back() {
        for (number, &tag) in Tag::ALL.iter().enumerate() {
            assert_eq!((Tag::parse(tag.as_str()), tag as usize), (Some(tag), number));
        }
        assert_eq!(Tag::parse("XX"), None);
    }

    #[test]
    fn coarse_tags() {
        assert_eq!(Tag::Aux.coarse(), "V");
        assert_eq!(Tag::Nnps.coarse(), "N");
        assert_eq!(Tag::Wps.coarse(), "W");
        assert_eq!(Tag::Jjs.coarse(), "JJS");
    }
}
