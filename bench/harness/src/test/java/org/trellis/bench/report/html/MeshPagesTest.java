package org.trellis.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
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
        List<Element> bars = all(page, "rect");
        assertEquals(units.length, bars.size());
        double one = Double.parseDouble(bars.getFirst().getAttribute("height")) / units[0];
        for (int b = 0; b < units.length; b++) {
            assertEquals(units[b] * one, Double.parseDouble(bars.get(b).getAttribute("height")), 0.2);
            assertEquals(units[b] == 8 ? "c3" : "c0", bars.get(b).getAttribute("class"));
            assertTrue(bars.get(b).getTextContent().endsWith(": " + units[b] + " units"));
        }
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
        List<Element> points = all(page, "circle");
        assertEquals(3, points.size());
        double left = Double.parseDouble(points.get(0).getAttribute("cx"));
        double right = Double.parseDouble(points.get(2).getAttribute("cx"));
        assertEquals(left + 0.6 * (right - left), Double.parseDouble(points.get(1).getAttribute("cx")), 0.2);
        // The faster, the lower.
        assertTrue(Double.parseDouble(points.get(1).getAttribute("cy")) > Double.parseDouble(points.get(2)
                .getAttribute("cy")));
        String[] curve = all(page, "polyline").getFirst().getAttribute("points").split(" ", -1);
        assertTrue(curve.length > 50, () -> curve.length + " points");
        // The lowest point of the curve is at the optimum.
        String lowest = curve[0];
        for (String point : curve) {
            lowest = height(point) > height(lowest) ? point : lowest;
        }
        double axis = right - (right - left) * 2;
        double share = (Double.parseDouble(lowest.split(",", -1)[0]) - axis) / (right - axis);
        assertEquals(model.optimum()[0], share, 0.01);
        assertTrue(text.contains("gpu and threads") && text.contains("the others cannot help"));
    }

    private static double height(String point) {
        return Double.parseDouble(point.split(",", -1)[1]);
    }
}
