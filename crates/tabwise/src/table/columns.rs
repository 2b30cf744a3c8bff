//! Columns of Arrow arrays, read as rows of text. A type decides how its values are written: a date as `2010-05-12`, a
//! truth as yes or no, a number in the shortest form that reads back, a decimal with its digits; a null, and a float that is
//! no number, is an empty cell. Lists are written with commas, records as `name: value`.

use super::sheet::malformed;
use super::{Allowance, Format, Table, TableError, clean};
use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::types::*;
use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray, RecordBatch};
use arrow_schema::{DataType, Field, IntervalUnit, Schema, TimeUnit};
use chrono::{NaiveDateTime, NaiveTime, Timelike};
use std::fmt::Write;

/// Rows of text that are made of batches of columns.
pub(super) struct Rows<'a> {
    table: Table,
    /// Columns that are read.
    kept: Vec<usize>,
    text: String,
    allowance: &'a Allowance,
}

impl<'a> Rows<'a> {
    /// Starts a table with the names of the schema, which was found in an input of this format.
    pub(super) fn new(schema: &Schema, format: Format, allowance: &'a Allowance) -> Result<Rows<'a>, TableError> {
        allowance.check_columns(schema.fields().len())?;
        if let Some(field) = schema.fields().iter().find(|field| !is_known(field.data_type(), 0)) {
            let (name, kind) = (clean::quote(field.name()), field.data_type());
            return Err(malformed(format, format_args!("the column {name} has the type {kind}, which is not read")));
        }
        let kept: Vec<usize> = (0..schema.fields().len()).filter(|&at| !is_row_number(schema.field(at))).collect();
        if kept.is_empty() {
            return Err(TableError::NoTable { format, why: ": it has no columns".to_owned() });
        }
        let header: Vec<String> = kept.iter().map(|&at| schema.field(at).name().clone()).collect();
        allowance.take(header.iter().map(|name| name.len() + size_of::<String>()).sum())?;
        Ok(Rows { table: Table::new(header), kept, text: String::new(), allowance })
    }

    /// Adds the rows of a batch.
    pub(super) fn push(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        let width = self.table.column_count();
        let rows = self.table.row_count().saturating_add(batch.num_rows());
        // Some arrays say how long they are and hold nothing.
        self.allowance.check_shape(rows.saturating_add(1), width)?;
        let most = self.allowance.limits().cell_bytes as usize;
        let cells: Vec<Cell> = self.kept.iter().map(|&at| cell(batch.column(at).as_ref(), most)).collect();
        for row in 0..batch.num_rows() {
            for cell in &cells {
                self.text.clear();
                cell(row, &mut self.text);
                self.allowance.check_cell(self.text.len())?;
                self.allowance.take(self.text.len() + size_of::<usize>())?;
                self.table.push_cell(&self.text);
            }
            self.table.finish_row();
        }
        self.allowance.check_text(self.table.text.len() as u64)
    }

    /// Returns the table.
    pub(super) fn finish(self) -> Table {
        self.table
    }
}

/// True for the numbers of rows that pandas stores beside the columns of a table that was sorted or filtered.
fn is_row_number(field: &Field) -> bool {
    field.name().starts_with("__index_level_") && field.data_type().is_integer()
}

/// Writes the value of a row.
type Cell<'a> = Box<dyn Fn(usize, &mut String) + 'a>;

/// Depth of lists and records that are read.
const DEEPEST: usize = 16;

/// True for a type whose values can be written.
fn is_known(kind: &DataType, depth: usize) -> bool {
    let is_known = |kind: &DataType| depth < DEEPEST && is_known(kind, depth + 1);
    match kind {
        DataType::Union(..) | DataType::RunEndEncoded(..) | DataType::ListView(_) | DataType::LargeListView(_) => false,
        DataType::Dictionary(_, values) => is_known(values),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => is_known(item.data_type()),
        DataType::Struct(fields) => fields.iter().all(|field| is_known(field.data_type())),
        _ => true,
    }
}

/// Returns the function that writes the values of an array. It stops within a list when there are more than `most` bytes.
fn cell(array: &dyn Array, most: usize) -> Cell<'_> {
    // An array of nulls says how many there are and holds nothing, so a list of them would take memory.
    if array.data_type() == &DataType::Null {
        return Box::new(|_, _| {});
    }
    let write = written(array, most);
    if array.logical_null_count() == 0 {
        return write;
    }
    let nulls = array.logical_nulls();
    Box::new(move |row, text| {
        if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
            write(row, text);
        }
    })
}

/// Returns the function that writes the values that are there.
fn written(array: &dyn Array, most: usize) -> Cell<'_> {
    match array.data_type() {
        DataType::Boolean => {
            let array = array.as_boolean();
            Box::new(|row, text| text.push_str(if array.value(row) { "yes" } else { "no" }))
        }
        DataType::Int8 => number::<Int8Type>(array),
        DataType::Int16 => number::<Int16Type>(array),
        DataType::Int32 => number::<Int32Type>(array),
        DataType::Int64 => number::<Int64Type>(array),
        DataType::UInt8 => number::<UInt8Type>(array),
        DataType::UInt16 => number::<UInt16Type>(array),
        DataType::UInt32 => number::<UInt32Type>(array),
        DataType::UInt64 => number::<UInt64Type>(array),
        DataType::Float16 => float::<Float16Type>(array, |n| n.to_f32().to_string()),
        DataType::Float32 => float::<Float32Type>(array, |n| n.to_string()),
        DataType::Float64 => float::<Float64Type>(array, |n| n.to_string()),
        DataType::Decimal32(..) => decimal::<Decimal32Type>(array),
        DataType::Decimal64(..) => decimal::<Decimal64Type>(array),
        DataType::Decimal128(..) => decimal::<Decimal128Type>(array),
        DataType::Decimal256(..) => decimal::<Decimal256Type>(array),
        DataType::Utf8 => texts(array.as_string::<i32>(), |array, row| array.value(row)),
        DataType::LargeUtf8 => texts(array.as_string::<i64>(), |array, row| array.value(row)),
        DataType::Utf8View => texts(array.as_string_view(), |array, row| array.value(row)),
        DataType::Binary => bytes(array.as_binary::<i32>(), |array, row| array.value(row)),
        DataType::LargeBinary => bytes(array.as_binary::<i64>(), |array, row| array.value(row)),
        DataType::BinaryView => bytes(array.as_binary_view(), |array, row| array.value(row)),
        DataType::FixedSizeBinary(_) => bytes(array.as_fixed_size_binary(), |array, row| array.value(row)),
        DataType::Date32 => moments::<Date32Type>(array, None),
        DataType::Date64 => moments::<Date64Type>(array, None),
        DataType::Timestamp(unit, zone) => {
            let zone = zone.as_deref().and_then(|zone| zone.parse::<Tz>().ok());
            match unit {
                TimeUnit::Second => moments::<TimestampSecondType>(array, zone),
                TimeUnit::Millisecond => moments::<TimestampMillisecondType>(array, zone),
                TimeUnit::Microsecond => moments::<TimestampMicrosecondType>(array, zone),
                TimeUnit::Nanosecond => moments::<TimestampNanosecondType>(array, zone),
            }
        }
        DataType::Time32(TimeUnit::Second) => times::<Time32SecondType>(array),
        DataType::Time32(_) => times::<Time32MillisecondType>(array),
        DataType::Time64(TimeUnit::Microsecond) => times::<Time64MicrosecondType>(array),
        DataType::Time64(_) => times::<Time64NanosecondType>(array),
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => durations::<DurationSecondType>(array, 1),
            TimeUnit::Millisecond => durations::<DurationMillisecondType>(array, 1_000),
            TimeUnit::Microsecond => durations::<DurationMicrosecondType>(array, 1_000_000),
            TimeUnit::Nanosecond => durations::<DurationNanosecondType>(array, 1_000_000_000),
        },
        DataType::Interval(unit) => intervals(array, *unit),
        _ => nested(array, most),
    }
}

fn number<T: ArrowPrimitiveType<Native: std::fmt::Display>>(array: &dyn Array) -> Cell<'_> {
    let array = array.as_primitive::<T>();
    Box::new(|row, text| put(text, array.value(row)))
}

/// Floats; one that is not a number is missing, as other libraries have it.
fn float<T: ArrowPrimitiveType>(array: &dyn Array, show: fn(T::Native) -> String) -> Cell<'_> {
    let array = array.as_primitive::<T>();
    Box::new(move |row, text| {
        let shown = show(array.value(row));
        if shown != "NaN" {
            text.push_str(&shown);
        }
    })
}

fn decimal<T: DecimalType>(array: &dyn Array) -> Cell<'_> {
    let array = array.as_primitive::<T>();
    Box::new(|row, text| text.push_str(&array.value_as_string(row)))
}

fn texts<'a, A>(array: &'a A, value: fn(&'a A, usize) -> &'a str) -> Cell<'a> {
    Box::new(move |row, text| text.push_str(value(array, row)))
}

/// Bytes that are text, as some programs store it; others have no cell.
fn bytes<'a, A>(array: &'a A, value: fn(&'a A, usize) -> &'a [u8]) -> Cell<'a> {
    Box::new(move |row, text| text.push_str(std::str::from_utf8(value(array, row)).unwrap_or("")))
}

/// Dates, and times of a day in a zone if there is one.
fn moments<T: ArrowTemporalType>(array: &dyn Array, zone: Option<Tz>) -> Cell<'_>
where
    i64: From<T::Native>,
{
    let array: &PrimitiveArray<T> = array.as_primitive();
    Box::new(move |row, text| {
        let moment = match zone {
            Some(zone) => array.value_as_datetime_with_tz(row, zone).map(|moment| moment.naive_local()),
            None => array.value_as_datetime(row),
        };
        moment.into_iter().for_each(|moment| put_moment(text, moment));
    })
}

fn times<T: ArrowTemporalType>(array: &dyn Array) -> Cell<'_>
where
    i64: From<T::Native>,
{
    let array: &PrimitiveArray<T> = array.as_primitive();
    Box::new(|row, text| array.value_as_time(row).into_iter().for_each(|time| put_time(text, time)))
}

/// Durations in hours, minutes and seconds; `unit` is the number of them in a second.
fn durations<T: ArrowPrimitiveType<Native = i64>>(array: &dyn Array, unit: u64) -> Cell<'_> {
    let array = array.as_primitive::<T>();
    Box::new(move |row, text| {
        let value = array.value(row);
        let seconds = value.unsigned_abs() / unit;
        let sign = if value < 0 { "-" } else { "" };
        put(text, format_args!("{sign}{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60));
        put_fraction(text, value.unsigned_abs() % unit, unit);
    })
}

fn intervals(array: &dyn Array, unit: IntervalUnit) -> Cell<'_> {
    match unit {
        IntervalUnit::YearMonth => {
            let array = array.as_primitive::<IntervalYearMonthType>();
            Box::new(|row, text| put(text, format_args!("{} months", array.value(row))))
        }
        IntervalUnit::DayTime => {
            let array = array.as_primitive::<IntervalDayTimeType>();
            Box::new(|row, text| {
                let value = array.value(row);
                put(text, format_args!("{} days {} ms", value.days, value.milliseconds));
            })
        }
        IntervalUnit::MonthDayNano => {
            let array = array.as_primitive::<IntervalMonthDayNanoType>();
            Box::new(|row, text| {
                let value = array.value(row);
                put(text, format_args!("{} months {} days {} ns", value.months, value.days, value.nanoseconds));
            })
        }
    }
}

/// Values that are made of other values.
fn nested(array: &dyn Array, most: usize) -> Cell<'_> {
    match array.data_type() {
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let (keys, values) = (dictionary.normalized_keys(), cell(dictionary.values().as_ref(), most));
            let is_empty = dictionary.values().is_empty();
            Box::new(move |row, text| {
                if !is_empty {
                    values(keys[row], text)
                }
            })
        }
        DataType::List(_) => {
            let (list, items) = (array.as_list::<i32>(), cell(array.as_list::<i32>().values().as_ref(), most));
            Box::new(move |row, text| {
                let ends = list.value_offsets();
                put_list(text, ends[row] as usize..ends[row + 1] as usize, &items, most);
            })
        }
        DataType::LargeList(_) => {
            let (list, items) = (array.as_list::<i64>(), cell(array.as_list::<i64>().values().as_ref(), most));
            Box::new(move |row, text| {
                let ends = list.value_offsets();
                put_list(text, ends[row] as usize..ends[row + 1] as usize, &items, most);
            })
        }
        DataType::FixedSizeList(..) => {
            let list = array.as_fixed_size_list();
            let items = cell(list.values().as_ref(), most);
            Box::new(move |row, text| {
                let start = list.value_offset_at(row);
                put_list(text, start..start + list.value_length() as usize, &items, most);
            })
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().map(|column| cell(column.as_ref(), most));
            let named: Vec<(&str, Cell)> = fields.iter().map(|field| field.name().as_str()).zip(columns).collect();
            Box::new(move |row, text| {
                for (at, (name, value)) in named.iter().enumerate() {
                    put(text, format_args!("{}{name}: ", if at == 0 { "" } else { ", " }));
                    value(row, text);
                }
            })
        }
        DataType::Map(..) => {
            let map = array.as_map();
            let (keys, values) = (cell(map.keys().as_ref(), most), cell(map.values().as_ref(), most));
            let entry: Cell = Box::new(move |row, text| {
                keys(row, text);
                text.push_str(": ");
                values(row, text);
            });
            Box::new(move |row, text| {
                let ends = map.value_offsets();
                put_list(text, ends[row] as usize..ends[row + 1] as usize, &entry, most);
            })
        }
        other => unreachable!("{other} was refused with the schema"),
    }
}

fn put_list(text: &mut String, items: std::ops::Range<usize>, item: &Cell, most: usize) {
    for (at, row) in items.enumerate() {
        if text.len() > most {
            return;
        }
        if at > 0 {
            text.push_str(", ");
        }
        item(row, text);
    }
}

/// Writes a date, with the time of day unless it is midnight.
fn put_moment(text: &mut String, moment: NaiveDateTime) {
    put(text, moment.date());
    if moment.time() != NaiveTime::MIN {
        text.push(' ');
        put_time(text, moment.time());
    }
}

fn put_time(text: &mut String, time: NaiveTime) {
    put(text, format_args!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second()));
    put_fraction(text, u64::from(time.nanosecond()), 1_000_000_000);
}

/// Writes the part of a second, if there is one; `unit` is a power of ten.
fn put_fraction(text: &mut String, part: u64, unit: u64) {
    if part > 0 {
        let digits = format!("{:0width$}", part, width = unit.ilog10() as usize);
        text.push('.');
        text.push_str(digits.trim_end_matches('0'));
    }
}

fn put(text: &mut String, value: impl std::fmt::Display) {
    write!(text, "{value}").expect("writing to a string does not fail");
}
