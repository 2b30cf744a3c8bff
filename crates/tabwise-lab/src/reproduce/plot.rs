//! Plots as SVG: histograms and line charts.

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::collections::BTreeMap;

/// Size of a plot, in pixels.
const SIZE: (u32, u32) = (720, 440);
/// Colours that colour-blind readers can tell apart (the palette of Okabe and Ito).
const COLOURS: [RGBColor; 4] =
    [RGBColor(213, 94, 0), RGBColor(0, 114, 178), RGBColor(230, 159, 0), RGBColor(86, 180, 233)];

/// A named line.
pub(super) struct Line {
    /// Name in the legend.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Draws a histogram.
pub(super) fn bars(title: &str, x: &str, y: &str, counts: &BTreeMap<usize, usize>) -> Result<String> {
    let mut svg = String::new();
    let last = counts.keys().next_back().copied().unwrap_or(0) + 1;
    let most = counts.values().max().copied().unwrap_or(0) + 1;
    draw(&mut svg, |area| {
        let mut chart = framed(area, title).build_cartesian_2d((0..last).into_segmented(), 0..most)?;
        chart.configure_mesh().disable_x_mesh().light_line_style(TRANSPARENT).x_desc(x).y_desc(y).draw()?;
        let bars = counts.iter().map(|(at, count)| {
            let mut bar = Rectangle::new(
                [(SegmentValue::Exact(*at), 0), (SegmentValue::Exact(at + 1), *count)],
                COLOURS[1].filled(),
            );
            bar.set_margin(0, 0, 3, 3);
            bar
        });
        chart.draw_series(bars)?;
        Ok(())
    })?;
    Ok(svg)
}

/// Draws a line chart with a y axis from 0 to 100.
pub(super) fn lines(title: &str, x: &str, y: &str, lines: &[Line]) -> Result<String> {
    let mut svg = String::new();
    let right = lines.iter().flat_map(|line| &line.points).map(|(x, _)| *x).fold(1.0, f64::max);
    draw(&mut svg, |area| {
        let mut chart = framed(area, title).build_cartesian_2d(0.0..right * 1.05, 0.0..100.0)?;
        let whole = |n: &f64| format!("{n:.0}");
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT)
            .x_label_formatter(&whole)
            .y_label_formatter(&whole)
            .x_desc(x)
            .y_desc(y)
            .draw()?;
        for (line, colour) in lines.iter().zip(COLOURS.into_iter().cycle()) {
            let style = colour.stroke_width(2);
            let drawn = chart.draw_series(LineSeries::new(line.points.iter().copied(), style).point_size(3))?;
            drawn.label(&line.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        }
        let mut names = chart.configure_series_labels();
        names.position(SeriesLabelPosition::LowerRight).background_style(WHITE).border_style(BLACK.mix(0.3)).draw()?;
        Ok(())
    })?;
    Ok(svg)
}

/// An area to draw on.
type Area<'s> = DrawingArea<SVGBackend<'s>, plotters::coord::Shift>;

/// A chart with its title and room for the axes.
fn framed<'a, 'b>(area: &'a Area<'b>, title: &str) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut chart = ChartBuilder::on(area);
    chart.caption(title, ("sans-serif", 20)).margin(12).x_label_area_size(44).y_label_area_size(60);
    chart
}

/// Result of drawing, with the errors of the library.
type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

/// Draws on a white area, and turns the errors of the library into ours.
fn draw(svg: &mut String, paint: impl FnOnce(&Area) -> Drawn) -> Result<()> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let problem = |error: Box<dyn std::error::Error>| anyhow!("the plot cannot be drawn: {error}");
    area.fill(&WHITE).map_err(|error| problem(error.into()))?;
    paint(&area).map_err(problem)?;
    area.present().map_err(|error| problem(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_are_drawn_even_of_nothing() {
        assert!(bars("t", "x", "y", &BTreeMap::new()).unwrap().contains("</svg>"));
        assert!(bars("t", "x", "y", &BTreeMap::from([(3, 10), (5, 2)])).unwrap().matches("<rect").count() >= 3);
        let line = Line { name: "one".into(), points: vec![(10.0, 30.0), (200.0, 40.0)] };
        assert!(lines("t", "x", "y", &[line]).unwrap().contains("polyline"));
        assert!(lines("t", "x", "y", &[]).unwrap().contains("</svg>"));
    }
}
