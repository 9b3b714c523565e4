package org.trellis.bench.chart;

import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.geom.Rectangle2D;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.trellis.bench.text.Markup;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/**
 * Writes what the library draws as SVG within a page: with the variables of the page's style sheet for colours, its
 * fonts fitted into the widths that were reckoned with, and names that no other chart of the page has.
 */
final class SvgDrawing {
    private static final int DIGITS = 2;
    private static final Set<String> ATTRIBUTES = Set.of("clip-path", "clipPathUnits", "cx", "cy", "d", "fill",
            "fill-opacity", "font-size", "font-weight", "height", "id", "points", "r", "rx", "ry", "stroke",
            "stroke-dasharray", "stroke-opacity", "stroke-width", "transform", "width", "x", "x1", "x2", "y", "y1",
            "y2");
    private static final Map<String, String> COLOURS = new HashMap<>();

    static {
        for (Ink ink : Ink.values()) {
            Color colour = ink.colour();
            COLOURS.put("rgb(" + colour.getRed() + ',' + colour.getGreen() + ',' + colour.getBlue() + ')',
                    "var(--" + ink.variable() + ')');
        }
        COLOURS.put("white", "var(--" + Ink.CARD.variable() + ')');
    }

    private final ChartDrawing drawing;
    private final String style;
    private final Markup out;
    private final String prefix;
    private final Deque<Integer> widths = new ArrayDeque<>();

    /**
     * Prepares it.
     *
     * @param style class of the element
     */
    SvgDrawing(ChartDrawing drawing, String style, Markup out) {
        this.drawing = drawing;
        this.style = style;
        this.out = out;
        this.prefix = "chart" + out.nextChart() + '-';
    }

    /** Notes the widths of what is written, in its order. */
    private final class Graphics extends SVGGraphics2D {
        Graphics(SVGGeneratorContext context) {
            super(context, false);
        }

        @Override
        public void drawString(String text, float x, float y) {
            // A page drops leading spaces, so what they shift is shifted here.
            String shown = text.strip();
            if (!shown.isEmpty()) {
                FontMetrics metrics = getFontMetrics();
                int indent = metrics.stringWidth(text.substring(0, text.indexOf(shown)));
                widths.add(metrics.stringWidth(shown));
                super.drawString(shown, x + indent, y);
            }
        }
    }

    void write() {
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document());
        context.setPrecision(DIGITS);
        context.setComment(null);
        Graphics graphics = new Graphics(context);
        List<ChartDrawing.Tip> tips = drawing.draw(graphics);
        Element root = graphics.getRoot();
        graphics.dispose();
        out.open("svg", "viewBox", "0 0 " + drawing.width() + ' ' + drawing.height(), "class", style, "role", "img",
                "aria-label", drawing.title()).line();
        for (Node child = root.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element) {
                write(element);
            }
        }
        tips.forEach(this::tip);
        out.close("svg").line();
    }

    private static Document document() {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("this JVM makes no XML documents", e);
        }
    }

    /** Text that appears when the mouse rests on what it belongs to. */
    private void tip(ChartDrawing.Tip tip) {
        Rectangle2D area = tip.area();
        out.open("rect", "class", "tip", "x", number(area.getX()), "y", number(area.getY()), "width",
                number(Math.max(2, area.getWidth())), "height", number(Math.max(2, area.getHeight())))
                .element("title", tip.words()).close("rect").line();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private void write(Element element) {
        String name = element.getLocalName();
        List<String> attributes = attributes(element);
        if (name.equals("text")) {
            attributes.addAll(List.of("textLength", String.valueOf(widths.remove()), "lengthAdjust",
                    "spacingAndGlyphs"));
            out.element(name, element.getTextContent(), attributes.toArray(String[]::new)).line();
            return;
        }
        if (name.equals("g") && attributes.isEmpty() && !element.hasChildNodes()) {
            return;
        }
        out.open(name, attributes.toArray(String[]::new));
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element inner) {
                write(inner);
            }
        }
        out.close(name).line();
    }

    private List<String> attributes(Element element) {
        List<String> found = new ArrayList<>();
        NamedNodeMap all = element.getAttributes();
        Attr[] sorted = new Attr[all.getLength()];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = (Attr) all.item(i);
        }
        Arrays.sort(sorted, (a, b) -> a.getName().compareTo(b.getName()));
        for (Attr attribute : sorted) {
            if (ATTRIBUTES.contains(attribute.getName())) {
                found.add(attribute.getName());
                found.add(value(attribute));
            }
        }
        return found;
    }

    private String value(Attr attribute) {
        String value = attribute.getValue();
        return switch (attribute.getName()) {
            case "id" -> prefix + value;
            case "clip-path" -> value.replace("url(#", "url(#" + prefix);
            case "fill", "stroke" -> COLOURS.getOrDefault(value.replace(" ", ""), value);
            default -> value;
        };
    }
}
