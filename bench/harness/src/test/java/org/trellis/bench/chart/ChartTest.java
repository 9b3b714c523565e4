package org.trellis.bench.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.chart.Series.Look;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.text.Markup;
import org.trellis.testing.TestSeed;
import org.w3c.dom.Element;

/** Charts as they are drawn, read back from pages and pictures; without a browser. */
final class ChartTest {
    private static final double PIXEL = 1.5;

    @TempDir
    private Path folder;

    private static Chart curves() {
        Axis across = Axis.of("iteration", Scale.linear(0, 2520)).counting();
        Axis up = Axis.of("residual", Scale.logarithmic(1e-8, 1));
        return Chart.of("Two curves", across, up, List.of(
                Series.of("first", Ink.C1, Look.LINE, new double[]{0, 1260, 2520}, new double[]{1, 1e-4, 1e-8}),
                Series.of("second", Ink.C3, Look.LINE, new double[]{0, 630, 1260}, new double[]{1, 1e-2, 1e-4})));
    }

    private static Chart rows(int count, int length) {
        List<String> names = IntStream.range(0, count).mapToObj(row -> "x".repeat(length) + row).toList();
        List<Mark> bars = IntStream.range(0, count).mapToObj(row -> Mark.bar(row, 0, row + 1, "bar " + row)).toList();
        Axis speeds = Axis.of("speed", Scale.linear(0, count));
        Axis times = Axis.of("time", Scale.logarithmic(1e-6, 1));
        return new Chart("Rows", "", Axis.rows("", names), List.of(
                new Chart.Panel(speeds, List.of(Series.of("", Ink.C2, Look.BOXES, bars)), 1),
                new Chart.Panel(times, List.of(Series.of("", Ink.C4, Look.SAMPLES,
                        DoubleStream.iterate(1e-5, t -> 1.5 * t).limit(count).toArray(),
                        IntStream.range(0, count).asDoubleStream().toArray())), 2)));
    }

    @Test
    void curvesAreWhereTheirNumbersAre() {
        DrawnSvg drawn = DrawnSvg.of(curves());
        List<DrawnSvg.Point> first = drawn.curve(Ink.C1);
        List<DrawnSvg.Point> second = drawn.curve(Ink.C3);
        assertEquals(3, first.size(), first::toString);
        assertEquals(3, second.size(), second::toString);
        // A straight line on these axes, of which the second curve is the first half.
        DrawnSvg.Point begin = first.getFirst();
        DrawnSvg.Point end = first.getLast();
        assertEquals((begin.x() + end.x()) / 2, first.get(1).x(), PIXEL);
        assertEquals((begin.y() + end.y()) / 2, first.get(1).y(), PIXEL);
        assertEquals(first.get(1).x(), second.getLast().x(), PIXEL);
        assertEquals(first.get(1).y(), second.getLast().y(), PIXEL);
        assertTrue(end.y() > begin.y() + 200, "smaller numbers are lower");
    }

    @Test
    void legendsHaveTheColoursOfTheirCurves() {
        DrawnSvg drawn = DrawnSvg.of(curves());
        for (int drawing = 0; drawing < 2; drawing++) {
            assertTrue(drawn.texts(drawing).containsAll(List.of("first", "second")), drawn.texts(drawing)::toString);
            for (Ink ink : List.of(Ink.C1, Ink.C3)) {
                // The curve itself, and the line beside its name.
                long lines = drawn.all(drawing, "path").stream().filter(path -> strokes(path, ink)).count()
                        + drawn.all(drawing, "line").stream().filter(line -> strokes(line, ink)).count();
                assertEquals(2, lines, ink + " in drawing " + drawing);
            }
        }
    }

    private static boolean strokes(Element element, Ink ink) {
        return DrawnSvg.inherited(element, "stroke").equals("var(--" + ink.variable() + ")");
    }

    @Test
    void ticksAreRound() {
        List<String> texts = DrawnSvg.of(curves()).texts(0);
        assertTrue(texts.containsAll(List.of("0", "500", "1000", "2000", "2500", "1e-4", "0.01"))
                || texts.containsAll(List.of("0", "200", "400", "2400", "1e-4", "0.01")), texts::toString);
    }

    @Test
    void coloursAreThoseOfTheStyleSheet() {
        DrawnSvg drawn = DrawnSvg.of(rows(5, 4));
        for (Element svg : drawn.svgs()) {
            for (Element element : DrawnSvg.elements(svg.getElementsByTagName("*"))) {
                for (String attribute : List.of("fill", "stroke")) {
                    String value = element.getAttribute(attribute);
                    assertTrue(value.isEmpty() || value.equals("none") || value.equals("black")
                            || value.startsWith("var(--"), attribute + "=" + value);
                }
            }
        }
    }

    /** Nothing is cut off at the edges, whatever names and numbers are like. */
    @Test
    void textStaysWithin() {
        SplittableRandom random = TestSeed.random("charts");
        for (int k = 0; k < 12; k++) {
            int count = 1 + random.nextInt(12);
            double high = Math.pow(10, random.nextInt(12) - 5) * (1 + random.nextDouble());
            Chart numbers = Chart.of("w".repeat(1 + random.nextInt(90)),
                    Axis.of("a".repeat(1 + random.nextInt(90)), Scale.linear(0, high)),
                    Axis.of("b".repeat(1 + random.nextInt(90)), Scale.logarithmic(high / 1e4, high)),
                    IntStream.range(0, count).mapToObj(i -> Series.of("curve" + "m".repeat(random.nextInt(80)),
                            Ink.ofCurve(i), Look.DOTTED_LINE, new double[]{0, high}, new double[]{high, high / 2}))
                            .toList());
            check(DrawnSvg.of(numbers));
            check(DrawnSvg.of(rows(count, 1 + random.nextInt(60))));
        }
    }

    private static void check(DrawnSvg drawn) {
        for (int drawing = 0; drawing < drawn.svgs().size(); drawing++) {
            String[] box = drawn.svgs().get(drawing).getAttribute("viewBox").split(" ", -1);
            double width = Double.parseDouble(box[2]);
            double height = Double.parseDouble(box[3]);
            for (Element text : drawn.all(drawing, "text")) {
                if (DrawnSvg.inherited(text, "transform").contains("rotate")
                        || DrawnSvg.inherited(text, "transform").contains("matrix")) {
                    continue;
                }
                double left = DrawnSvg.number(text, "x");
                double right = left + DrawnSvg.number(text, "textLength");
                double y = DrawnSvg.number(text, "y");
                assertTrue(left >= 0 && right <= width && y > 0 && y <= height, text.getTextContent() + " from " + left
                        + " to " + right + " at " + y + " of " + width + " x " + height);
            }
        }
    }

    @Test
    void longNamesStandAboveTheirRowsOnPhones() {
        DrawnSvg drawn = DrawnSvg.of(rows(3, 40));
        assertEquals(3, drawn.svgs().size(), "one for desks, and one of each panel for phones");
        List<Element> bars = drawn.boxes(1, Ink.C2);
        assertEquals(3, bars.size());
        List<Element> names = drawn.all(1, "text").stream().filter(text -> text.getTextContent().startsWith("xx"))
                .toList();
        assertEquals(3, names.size());
        for (int row = 0; row < 3; row++) {
            double name = DrawnSvg.number(names.get(row), "y");
            double top = DrawnSvg.number(bars.get(row), "y");
            assertTrue(name <= top, "name at " + name + ", bar from " + top);
            assertTrue(row == 0 || name > DrawnSvg.number(bars.get(row - 1), "y")
                    + DrawnSvg.number(bars.get(row - 1), "height"));
        }
        assertTrue(DrawnSvg.number(names.getFirst(), "x") < 40);
    }

    @Test
    void barsAreAsLongAsTheirNumbers() {
        DrawnSvg drawn = DrawnSvg.of(rows(4, 5));
        List<Element> bars = drawn.boxes(0, Ink.C2);
        double unit = DrawnSvg.number(bars.getFirst(), "width");
        for (int row = 0; row < 4; row++) {
            assertEquals((row + 1) * unit, DrawnSvg.number(bars.get(row), "width"), PIXEL);
            assertTrue(row == 0 || DrawnSvg.number(bars.get(row), "y") > DrawnSvg.number(bars.get(row - 1), "y"),
                    "rows go downwards");
        }
        assertEquals(List.of("bar 0", "bar 1", "bar 2", "bar 3"), drawn.tips());
    }

    @Test
    void namesWithinChartsAreOnceInAPage() {
        Markup page = new Markup().open("body");
        curves().writeTo(page);
        curves().writeTo(page);
        String text = page.close("body").toString();
        List<String> ids = Pattern.compile(" id=\"([^\"]+)\"").matcher(text).results()
                .map(match -> match.group(1)).toList();
        Set<String> once = new HashSet<>(ids);
        assertTrue(ids.size() >= 4, ids::toString);
        assertEquals(once.size(), ids.size(), ids::toString);
        Pattern.compile("url\\(#([^)]+)\\)").matcher(text).results()
                .forEach(match -> assertTrue(once.contains(match.group(1)), match.group(1)));
    }

    /** Coarse features: left of its end and right of it a bar's row has the bar's colour and the paper's. */
    @Test
    void picturesShowTheSame() throws IOException {
        Axis rows = Axis.rows("", List.of("one", "two"));
        Chart chart = Chart.of("Bars", Axis.of("length", Scale.linear(0, 4)), rows,
                List.of(Series.of("bars", Ink.C3, Look.BOXES, List.of(Mark.bar(0, 0, 3, ""), Mark.bar(1, 0, 1, "")))))
                .subtitled("of two rows");
        Path file = folder.resolve("bars.png");
        chart.write(file);
        BufferedImage image = ImageIO.read(file.toFile());
        int orange = Ink.C3.colour().getRGB();
        int[] longest = new int[image.getHeight()];
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                longest[y] += image.getRGB(x, y) == orange ? 1 : 0;
            }
        }
        int most = Arrays.stream(longest).max().orElseThrow();
        long full = Arrays.stream(longest).filter(n -> n >= most - 4).count();
        long third = Arrays.stream(longest).filter(n -> Math.abs(n - most / 3) <= 8).count();
        assertEquals((double) full, (double) third, 4, () -> Arrays.toString(longest));
        assertTrue(full > 20 && most > image.getWidth() / 2, "bars of " + full + " x " + most);
        assertEquals(0xffffffff, image.getRGB(2, 2));
    }

    @Test
    void emptyChartsAreDrawn() throws IOException {
        Chart chart = Chart.of("Nothing", Axis.of("x", Scale.linear(0, 0)), Axis.rows("", List.of()), List.of());
        assertEquals(2, DrawnSvg.of(chart).svgs().size());
        chart.write(folder.resolve("empty.png"));
        Series holes = Series.of("holes", Ink.C1, Look.LINE, new double[]{0, Double.NaN, 2}, new double[]{1, 2,
            Double.POSITIVE_INFINITY});
        assertEquals(1, holes.marks().size());
        assertThrows(IllegalArgumentException.class,
                () -> Series.of("odd", Ink.C1, Look.LINE, new double[2], new double[3]));
    }

    @Test
    void saysThatTextCannotBeDrawn() {
        ChartFonts.check("--pictures", folder);
        ChartFonts.check("--pictures", null);
        assertEquals(Optional.empty(), ChartFonts.trouble());
        assertEquals(
                Optional.of("this JVM cannot draw text (java.lang.IllegalStateException: Fontconfig head is null), "
                        + "expected fonts and the library fontconfig"),
                ChartFonts.troubleOf(() -> {
                    throw new InternalError(new IllegalStateException("Fontconfig head is null"));
                }));
    }
}
