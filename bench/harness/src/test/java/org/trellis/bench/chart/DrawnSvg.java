package org.trellis.bench.chart;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.trellis.bench.text.Markup;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * What a page has of a chart, read back.
 *
 * @param svgs the drawing for desks, and then those for phones
 */
public record DrawnSvg(List<Element> svgs) {
    private static final Pattern PAIR = Pattern.compile("(-?[0-9.]+(?:E-?\\d+)?) (-?[0-9.]+(?:E-?\\d+)?)");

    /**
     * A place.
     *
     * @param x to the right
     * @param y downwards
     */
    public record Point(double x, double y) {}

    /**
     * Draws a chart into a page.
     *
     * @param chart the chart
     * @return its drawings
     */
    public static DrawnSvg of(Chart chart) {
        Markup page = new Markup().open("body");
        chart.writeTo(page);
        String text = page.close("body").toString();
        try {
            Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                    .parse(new InputSource(new StringReader(text)));
            return new DrawnSvg(elements(document.getElementsByTagName("svg")));
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new AssertionError(text, e);
        }
    }

    static List<Element> elements(NodeList list) {
        return IntStream.range(0, list.getLength()).mapToObj(i -> (Element) list.item(i)).toList();
    }

    /**
     * Finds elements of a drawing.
     *
     * @param drawing number of the drawing
     * @param tag     their tag
     * @return them in order
     */
    public List<Element> all(int drawing, String tag) {
        return elements(svgs.get(drawing).getElementsByTagName(tag));
    }

    /**
     * Returns an attribute, inherited if the element itself has none.
     *
     * @param element the element
     * @param name    the attribute
     * @return its value, empty if there is none
     */
    public static String inherited(Element element, String name) {
        for (Element at = element;; at = (Element) at.getParentNode()) {
            if (at.hasAttribute(name)) {
                return at.getAttribute(name);
            }
            if (!(at.getParentNode() instanceof Element)) {
                return "";
            }
        }
    }

    /**
     * Finds the curve of a colour in the drawing for desks.
     *
     * @param ink the colour
     * @return the points of its longest path
     */
    public List<Point> curve(Ink ink) {
        List<Point> longest = List.of();
        for (Element path : all(0, "path")) {
            if (inherited(path, "stroke").equals("var(--" + ink.variable() + ")")
                    && inherited(path, "fill").equals("none")) {
                List<Point> points = points(path.getAttribute("d"));
                longest = points.size() > longest.size() ? points : longest;
            }
        }
        return longest;
    }

    private static List<Point> points(String path) {
        List<Point> points = new ArrayList<>();
        Matcher pairs = PAIR.matcher(path);
        while (pairs.find()) {
            points.add(new Point(Double.parseDouble(pairs.group(1)), Double.parseDouble(pairs.group(2))));
        }
        return points;
    }

    /**
     * Returns the texts of a drawing.
     *
     * @param drawing number of the drawing
     * @return what is written
     */
    public List<String> texts(int drawing) {
        return all(drawing, "text").stream().map(Element::getTextContent).toList();
    }

    /**
     * Returns what appears when the mouse rests on something.
     *
     * @return the words, for desks
     */
    public List<String> tips() {
        return all(0, "title").stream().map(Element::getTextContent).toList();
    }

    /**
     * Returns the boxes of a colour.
     *
     * @param drawing number of the drawing
     * @param ink     the colour
     * @return rectangles
     */
    public List<Element> boxes(int drawing, Ink ink) {
        Stream<Element> all = all(drawing, "rect").stream();
        return all.filter(box -> inherited(box, "fill").equals("var(--" + ink.variable() + ")")).toList();
    }

    static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }
}
