import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Checks that the POMs of what is published say what Maven Central asks of them: name, description, address, licence,
 * developers and source control, itself or by its parents; that they depend on nothing of this repository that is not
 * published, and bring no repositories; and that the BOM names each of them. Run as
 * {@code java PublishedPoms.java ROOT KIND}: of KIND {@code release}, versions and addresses that stand in for others
 * are refused too, {@code trial} lets them pass.
 *
 * <p>A module is published unless it or a parent sets {@code maven.deploy.skip} to true.
 *
 * @see <a href="https://central.sonatype.org/publish/requirements/">The Central Repository: requirements</a>
 */
final class PublishedPoms {
    private static final List<String> WANTED = List.of("url", "licenses/license/name", "licenses/license/url",
            "developers/developer/name", "scm/connection", "scm/developerConnection", "scm/url");
    private static final String BOM = "trellis-bom";

    private final Path root;
    private final Map<String, Pom> poms = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    /** One POM: where it lies and its root element. */
    private record Pom(Path file, Element project) {
        String id() {
            return text(project, "artifactId");
        }
    }

    private PublishedPoms(Path root) {
        this.root = root;
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2 || !List.of("release", "trial").contains(arguments[1])) {
            throw new IllegalArgumentException("expected the repository's folder, then release or trial: "
                    + List.of(arguments));
        }
        List<String> problems = problems(Path.of(arguments[0]), arguments[1].equals("release"));
        problems.forEach(System.err::println);
        if (!problems.isEmpty()) {
            System.err.println(problems.size() + " things keep the POMs from being published");
            System.exit(1);
        }
    }

    /**
     * What keeps the modules of a repository from being published.
     *
     * @param root the folder of the topmost POM
     * @param release whether versions and addresses that stand in for others are problems
     * @return the problems, each with the file that has it
     * @throws IOException if a POM cannot be read
     */
    static List<String> problems(Path root, boolean release) throws IOException {
        PublishedPoms check = new PublishedPoms(root);
        check.collect(root.resolve("pom.xml"));
        for (Pom pom : check.poms.values()) {
            if (check.isPublished(pom)) {
                check.checkDescription(pom);
                check.checkDependencies(pom);
                if (release) {
                    check.checkRelease(pom);
                }
            }
        }
        check.checkBom();
        return check.problems;
    }

    /** The artifacts of a repository that are published, for tests that stage them: each with its folder. */
    static Map<String, Path> published(Path root) throws IOException {
        PublishedPoms check = new PublishedPoms(root);
        check.collect(root.resolve("pom.xml"));
        Map<String, Path> folders = new LinkedHashMap<>();
        check.poms.values().stream().filter(check::isPublished)
                .forEach(pom -> folders.put(pom.id(), pom.file().getParent()));
        return folders;
    }

    private void collect(Path file) throws IOException {
        Pom pom = new Pom(file, parse(file));
        poms.put(pom.id(), pom);
        for (String path : List.of("modules/module", "profiles/profile/modules/module")) {
            for (Element module : all(pom.project(), path)) {
                collect(file.resolveSibling(module.getTextContent().strip()).resolve("pom.xml"));
            }
        }
    }

    private static Element parse(Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            Document document = factory.newDocumentBuilder().parse(file.toFile());
            return document.getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private boolean isPublished(Pom pom) {
        return !"true".equals(inherited(pom, "properties/maven.deploy.skip"));
    }

    private void checkDescription(Pom pom) {
        for (String own : List.of("name", "description")) {
            if (text(pom.project(), own) == null) {
                complain(pom, "no <" + own + ">");
            }
        }
        for (String path : WANTED) {
            if (inherited(pom, path) == null) {
                complain(pom, "no <" + path.replace("/", "><") + ">, here or in a parent");
            }
        }
        if (!all(pom.project(), "repositories").isEmpty() || !all(pom.project(), "pluginRepositories").isEmpty()) {
            complain(pom, "it names repositories, which those who depend on it would have to trust");
        }
    }

    private void checkDependencies(Pom pom) {
        for (Element dependency : all(pom.project(), "dependencies/dependency")) {
            String id = text(dependency, "artifactId");
            String scope = text(dependency, "scope");
            if ("system".equals(scope)) {
                complain(pom, "the dependency " + id + " has the scope system: a file of one machine");
            }
            if (poms.containsKey(id) && !"test".equals(scope) && !isPublished(poms.get(id))) {
                complain(pom, "it depends on " + id + ", which is not published");
            }
        }
    }

    private void checkRelease(Pom pom) {
        String version = inherited(pom, "version");
        if (version == null || version.endsWith("-SNAPSHOT")) {
            complain(pom, "version " + version + ": a release has one without -SNAPSHOT");
        }
        for (String path : WANTED) {
            String value = inherited(pom, path);
            if (value != null && value.contains(".example")) {
                complain(pom, "<" + path.replace("/", "><") + "> is " + value + ", which stands in for the real address");
            }
        }
    }

    private void checkBom() {
        Pom bom = poms.get(BOM);
        if (bom == null) {
            problems.add(root.resolve("pom.xml") + ": no module " + BOM);
            return;
        }
        TreeSet<String> named = new TreeSet<>();
        for (Element dependency : all(bom.project(), "dependencyManagement/dependencies/dependency")) {
            named.add(text(dependency, "artifactId"));
        }
        TreeSet<String> jars = new TreeSet<>();
        poms.values().stream().filter(this::isPublished)
                .filter(pom -> !"pom".equals(text(pom.project(), "packaging"))).forEach(pom -> jars.add(pom.id()));
        jars.stream().filter(id -> !named.contains(id)).forEach(id -> complain(bom, "it lacks " + id));
        named.stream().filter(id -> !jars.contains(id)).forEach(id -> complain(bom, "no module publishes " + id));
        for (Pom pom : poms.values()) {
            if (isPublished(pom) && !inherited(pom, "version").equals(text(bom.project(), "version"))) {
                complain(bom, "its version is " + text(bom.project(), "version") + ", that of " + pom.id() + " is "
                        + inherited(pom, "version"));
            }
        }
    }

    private void complain(Pom pom, String what) {
        problems.add(root.relativize(pom.file()) + ": " + what);
    }

    /** The text at a path in a POM or in the nearest of its parents that has one; null if none has. */
    private String inherited(Pom pom, String path) {
        String own = text(pom.project(), path);
        String parent = text(pom.project(), "parent/artifactId");
        return own != null || parent == null || !poms.containsKey(parent) ? own : inherited(poms.get(parent), path);
    }

    /** The text of the first element at a path of names; null if there is none, or only blanks in it. */
    private static String text(Element from, String path) {
        for (Element element : all(from, path)) {
            String text = element.getTextContent().strip();
            if (!text.isEmpty()) {
                return text;
            }
        }
        return null;
    }

    private static List<Element> all(Element from, String path) {
        Stream<Element> found = Stream.of(from);
        for (String name : path.split("/")) {
            found = found.flatMap(element -> children(element).stream().filter(child -> child.getTagName().equals(name)));
        }
        return found.toList();
    }

    private static List<Element> children(Element from) {
        List<Element> children = new ArrayList<>();
        for (Node node = from.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                children.add(element);
            }
        }
        return children;
    }
}
