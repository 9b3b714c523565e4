package org.trellis.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Emphasis;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Makes HTML of one Markdown document: links lead to pages, headings have anchors as forges make them. */
final class MarkdownReader {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    /** Inline code of some length; that of blocks has an element before it, or a class. */
    private static final Pattern NAME = Pattern.compile("(?<!<pre>)<code>([^<]{12,})</code>");
    private static final Pattern SOURCE = Pattern.compile("(src|href)=\"([^\"]+)\"");

    private final Documents documents;
    private final Path file;
    private final Path page;
    private final IdentityHashMap<Node, String> anchors = new IdentityHashMap<>();
    private final Map<String, Integer> used = new HashMap<>();

    MarkdownReader(Documents documents, Path file) {
        this.documents = documents;
        this.file = file;
        page = documents.target(file);
    }

    Document read(String markdown) {
        Node tree = Parser.builder().extensions(EXTENSIONS).build().parse(markdown);
        tree.accept(new Links());
        List<Document.Section> sections = sections(tree);
        HtmlRenderer renderer = HtmlRenderer.builder().extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (anchors.containsKey(node)) {
                        attributes.put("id", anchors.get(node));
                    }
                }).build();
        // Code may be wider than a phone and is then scrolled, from the keyboard too.
        String html =
                breakable(renderer.render(tree)).replace("<table>", "<div class=\"scroll\" tabindex=\"0\"><table>")
                        .replace("</table>", "</table></div>").replace("<pre>", "<pre tabindex=\"0\">");
        String title = sections.isEmpty() ? file.toString() : sections.getFirst().heading();
        return new Document(file, title, html, sections);
    }

    /** Lets lines break within long names in the text: behind dots and slashes, and before capitals. */
    private static String breakable(String html) {
        return NAME.matcher(html).replaceAll(found -> Matcher.quoteReplacement(
                "<code>" + found.group(1).replaceAll("(?<=[./_:=,-])(?=[\\p{L}\\p{N}])|(?<=\\p{Ll})(?=\\p{Lu})",
                        "<wbr>")
                        + "</code>"));
    }

    private List<Document.Section> sections(Node tree) {
        List<Document.Section> sections = new ArrayList<>();
        Heading heading = null;
        Words words = new Words();
        for (Node node = tree.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading next) {
                add(sections, heading, words);
                heading = next;
                words = new Words();
                anchors.put(next, anchor(text(next)));
            } else {
                node.accept(words);
            }
        }
        add(sections, heading, words);
        return sections;
    }

    private void add(List<Document.Section> sections, Heading heading, Words words) {
        if (heading != null) {
            sections.add(new Document.Section(heading.getLevel(), anchors.get(heading), text(heading), words.text(),
                    words.links));
        }
    }

    private static String text(Node node) {
        Words words = new Words();
        node.accept(words);
        return words.text();
    }

    private String anchor(String heading) {
        String name = heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
        int before = used.merge(name, 1, Integer::sum) - 1;
        return before == 0 ? name : name + '-' + before;
    }

    /** A link of the document as one of the page. */
    private String rewritten(String destination) {
        if (destination.startsWith("#") || destination.matches("[a-z]+:.*")) {
            return destination;
        }
        int hash = destination.indexOf('#');
        String path = hash < 0 ? destination : destination.substring(0, hash);
        String fragment = hash < 0 ? "" : destination.substring(hash);
        return documents.link(page, file.resolveSibling(path).normalize()) + fragment;
    }

    /** Rewrites links, and links the names of public types to their API pages. */
    private final class Links extends AbstractVisitor {
        @Override
        public void visit(Link link) {
            // Not its children: there is no link within a link.
            link.setDestination(rewritten(link.getDestination()));
        }

        @Override
        public void visit(Image image) {
            image.setDestination(rewritten(image.getDestination()));
        }

        @Override
        public void visit(HtmlBlock block) {
            block.setLiteral(rewrittenHtml(block.getLiteral()));
        }

        @Override
        public void visit(HtmlInline inline) {
            inline.setLiteral(rewrittenHtml(inline.getLiteral()));
        }

        private String rewrittenHtml(String html) {
            return SOURCE.matcher(html).replaceAll(
                    found -> Matcher.quoteReplacement(found.group(1) + "=\"" + rewritten(found.group(2)) + '"'));
        }

        @Override
        public void visit(Code code) {
            documents.types().page(code.getLiteral()).ifPresent(target -> {
                Link link = new Link(Documents.relative(page, target), null);
                code.insertBefore(link);
                link.appendChild(code);
            });
        }
    }

    /** Collects the words and links of a part of the tree. */
    private static final class Words extends AbstractVisitor {
        private final StringBuilder words = new StringBuilder();
        private final List<Document.Link> links = new ArrayList<>();

        private String text() {
            return words.toString().replaceAll("\\s+", " ").strip();
        }

        @Override
        public void visit(Text text) {
            words.append(text.getLiteral());
        }

        @Override
        public void visit(Code code) {
            words.append(code.getLiteral());
        }

        @Override
        public void visit(FencedCodeBlock block) {
            words.append(block.getLiteral()).append(' ');
        }

        @Override
        public void visit(IndentedCodeBlock block) {
            words.append(block.getLiteral()).append(' ');
        }

        @Override
        public void visit(SoftLineBreak line) {
            words.append(' ');
        }

        @Override
        public void visit(Link link) {
            links.add(new Document.Link(MarkdownReader.text(link.getFirstChild()), link.getDestination()));
            super.visit(link);
        }

        @Override
        protected void visitChildren(Node parent) {
            super.visitChildren(parent);
            // What stands by itself ends a word: paragraphs, items, cells.
            if (!(parent instanceof Link || parent instanceof Emphasis || parent instanceof StrongEmphasis)) {
                words.append(' ');
            }
        }
    }
}
