package org.trellis.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.DrawnSvg;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Series;
import org.trellis.bench.report.chart.BalanceChart;
import org.trellis.distributed.balance.BalanceModel;
import org.trellis.distributed.balance.Balancer;
import org.trellis.kernel.Access;
import org.trellis.mesh.checkpoint.CheckpointAnalysis;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The pages about checkpoints and balance, read back as XML. */
class MeshPagesTest {
    private static Document parsed(String page) throws IOException, SAXException, ParserConfigurationException {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(page.substring(page.indexOf('\n')))));
    }

    private static List<Element> all(Document document, String tag) {
        NodeList list = document.getElementsByTagName(tag);
        return IntStream.range(0, list.getLength()).mapToObj(i -> (Element) list.item(i)).toList();
    }

    private static CheckpointAnalysis.Touch touch(String dat, int components, Access access) {
        return new CheckpointAnalysis.Touch(dat, components, 8L * components, access);
    }

    /** As figure 6.1 of the thesis has it. */
    private static CheckpointAnalysis airfoil() {
        List<CheckpointAnalysis.Use> period = new ArrayList<>();
        period.add(new CheckpointAnalysis.Use("save", List.of(touch("q", 4, Access.READ), touch("old", 4,
                Access.WRITE))));
        for (int stage = 0; stage < 2; stage++) {
            period.add(new CheckpointAnalysis.Use("adt <calc>", List.of(touch("x", 2, Access.READ),
                    touch("q", 4, Access.READ), touch("adt", 1, Access.WRITE))));
            period.add(new CheckpointAnalysis.Use("res", List.of(touch("q", 4, Access.READ),
                    touch("adt", 1, Access.READ), touch("res", 4, Access.INCREMENT))));
            period.add(new CheckpointAnalysis.Use("bres", List.of(touch("q", 4, Access.READ),
                    touch("adt", 1, Access.READ), touch("res", 4, Access.INCREMENT))));
            period.add(new CheckpointAnalysis.Use("update", List.of(touch("q", 4, Access.WRITE),
                    touch("old", 4, Access.READ), touch("res", 4, Access.READ_WRITE))));
        }
        return CheckpointAnalysis.ofPeriod(period);
    }

    @Test
    void barsAreTheUnitsOfTheFigure() throws IOException, SAXException, ParserConfigurationException {
        int[] units = {8, 12, 13, 13, 8, 12, 13, 13, 8};
        Document page = parsed(CheckpointPage.of(airfoil(), "airfoil & more"));
        DrawnSvg drawn = new DrawnSvg(all(page, "svg"));
        List<Element> least = drawn.boxes(0, Ink.C3);
        List<Element> others = drawn.boxes(0, Ink.C0);
        // Those of the legend are not rectangles of their own.
        double one = Double.parseDouble(least.getFirst().getAttribute("width")) / 8;
        assertEquals(Arrays.stream(units).filter(unit -> unit == 8).count(), least.size());
        assertEquals(List.of(12L, 13L, 13L, 12L, 13L, 13L), others.stream()
                .map(bar -> Math.round(Double.parseDouble(bar.getAttribute("width")) / one)).toList());
        assertTrue(drawn.tips().contains("adt <calc>: 12 units"), drawn.tips()::toString);
        List<String> cells = all(page, "td").stream().map(Element::getTextContent).toList();
        assertEquals(List.of("1", "save", "R", "W", "", "", "", "8", "6.40000e-05", "least"), cells.subList(0, 10));
        assertTrue(cells.contains("adt <calc>") && cells.contains("RW") && cells.contains("I"), cells::toString);
    }

    @Test
    void pointsAreWhatWasMeasured() throws IOException, SAXException, ParserConfigurationException {
        BalanceModel model =
                new BalanceModel(List.of(new BalanceModel.Part("loop", true, true, new double[]{1e-3, 4e-3},
                        new double[]{1e-4, 1e-4})), 1, 1);
        List<Balancer.Round> rounds = new ArrayList<>();
        for (double share : new double[]{0.5, 0.8, 1}) {
            double[] shares = {share, 1 - share};
            rounds.add(new Balancer.Round(shares, 1.05 * model.predict(shares), model.predict(shares),
                    model.optimum(), model.predict(model.optimum()), model.alone(0), 0));
        }
        String text = BalancePage.of(rounds, model, List.of("gpu", "threads"), "the others cannot help");
        Document page = parsed(text);
        Chart chart = BalanceChart.of(rounds, model, "gpu");
        List<Series.Mark> points = chart.panels().getFirst().series().get(1).marks();
        assertEquals(List.of(0.5, 0.8, 1.0), points.stream().map(Series.Mark::fromX).toList());
        assertEquals(rounds.get(1).measured(), points.get(1).fromY());
        // The lowest point of the curve is at the optimum.
        Series.Mark lowest = chart.panels().getFirst().series().getFirst().marks().stream()
                .min(Comparator.comparingDouble(Series.Mark::fromY)).orElseThrow();
        assertEquals(model.optimum()[0], lowest.fromX(), 0.01);
        assertTrue(new DrawnSvg(all(page, "svg")).curve(Ink.C1).size() > 50);
        assertTrue(text.contains("gpu and threads") && text.contains("the others cannot help"));
    }
}
