import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.InheritDocTree;
import com.sun.source.doctree.ThrowsTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.UnionTypeTree;
import com.sun.source.util.DocTreeScanner;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Checks that public methods say what they throw: {@code throw new X} in a public method or constructor of a public
 * class, or a call of {@code Checks}, wants {@code @throws X}, or a superclass of X, in its comment. Run by the build
 * as {@code java ThrowsTags.java ROOT}, where ROOT is the repository, whose sources outside of tests are checked.
 *
 * <p>It reads syntax trees, not types. What a helper of the same class throws counts as the caller's unless the helper
 * is public, through any number of helpers; what a lambda or a local class throws does not. A method that overrides and
 * has no comment inherits one. Errors are defects and need no tag.
 */
final class ThrowsTags {
    private static final String INDEX = "IndexOutOfBoundsException";
    private static final String ARGUMENT = "IllegalArgumentException";
    /** What methods of {@code Checks} throw that do not throw the usual exception. */
    private static final Map<String, String> OF_CHECKS = Map.of("index", INDEX, "range", INDEX);
    /** What a helper may declare that returns exceptions of several kinds. */
    private static final Set<String> UNKNOWN = Set.of("RuntimeException", "Exception", "Throwable");
    private static final String SOURCES = "/src/main/java/";
    private static final Set<String> SKIPPED = Set.of(".git", "target", "test");
    private static final List<String> JDK_PACKAGES = List.of("java.lang.", "java.util.", "java.io.", "java.nio.file.");

    private final Map<String, String> superclasses = new HashMap<>();
    private final List<String> complaints = new ArrayList<>();
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    private ThrowsTags() {}

    public static void main(String[] arguments) throws IOException {
        ThrowsTags check = new ThrowsTags();
        List<Path> sources = sourcesBelow(Path.of(arguments[0]).toAbsolutePath());
        check.readExceptions(sources);
        check.run(sources);
        check.complaints.forEach(System.err::println);
        if (!check.complaints.isEmpty()) {
            System.err.println(check.complaints.size() + " tags are missing");
            System.exit(1);
        }
    }

    /** The sources of all modules, without tests and what builds made of sources. */
    private static List<Path> sourcesBelow(Path root) throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java") && file.toString().replace('\\', '/').contains(SOURCES)) {
                    sources.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        sources.sort(null);
        return sources;
    }

    private interface Reader {
        void read(CompilationUnitTree unit, DocTrees docs);
    }

    private void parse(List<Path> files, Reader reader) throws IOException {
        if (files.isEmpty()) {
            return;
        }
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null,
                    manager.getJavaFileObjectsFromPaths(files));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                reader.read(unit, docs);
            }
        }
    }

    /** Notes the superclass of each exception of the repository. */
    private void readExceptions(List<Path> sources) throws IOException {
        List<Path> files = sources.stream().filter(file -> file.toString().endsWith("Exception.java")).toList();
        parse(files, (unit, docs) -> {
            for (Tree type : unit.getTypeDecls()) {
                if (type instanceof ClassTree named && named.getExtendsClause() != null) {
                    superclasses.put(named.getSimpleName().toString(), simple(named.getExtendsClause()));
                }
            }
        });
    }

    private void run(List<Path> files) throws IOException {
        parse(files, (unit, docs) -> new TypeScanner(unit, docs).scan(unit, null));
    }

    private static String simple(Tree type) {
        String text = type.toString().replaceAll("<.*", "");
        return text.substring(text.lastIndexOf('.') + 1);
    }

    /** The class and its superclasses, as far as they are known. */
    private List<String> lineage(String exception) {
        List<String> all = new ArrayList<>();
        for (String name = exception; name != null; name = superclasses.get(name)) {
            all.add(name);
        }
        for (String jdk : JDK_PACKAGES) {
            try {
                for (Class<?> c = Class.forName(jdk + all.getLast()).getSuperclass(); c != null; c = c.getSuperclass()) {
                    all.add(c.getSimpleName());
                }
                break;
            } catch (ClassNotFoundException e) {
                // of another package
            }
        }
        return all;
    }

    private boolean covers(String documented, String thrown) {
        return lineage(thrown).contains(documented);
    }

    /** Finds the public methods of public types. */
    private final class TypeScanner extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final DocTrees docs;
        private final Deque<ClassTree> types = new ArrayDeque<>();

        TypeScanner(CompilationUnitTree unit, DocTrees docs) {
            this.unit = unit;
            this.docs = docs;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            boolean member = !types.isEmpty() && types.peek().getKind() == Tree.Kind.INTERFACE;
            if (member || isPublic(type.getModifiers().getFlags())) {
                types.push(type);
                type.getMembers().forEach(inner -> scan(inner, null));
                types.pop();
            }
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            Set<Modifier> flags = method.getModifiers().getFlags();
            boolean inInterface = types.peek().getKind() == Tree.Kind.INTERFACE && !flags.contains(Modifier.PRIVATE);
            if (inInterface || isPublic(flags)) {
                check(method);
            }
            return null;
        }

        private boolean isPublic(Set<Modifier> flags) {
            return flags.contains(Modifier.PUBLIC);
        }

        private void check(MethodTree method) {
            DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(a -> simple(a.getAnnotationType()).equals("Override"));
            if (comment == null && overrides || method.getBody() == null) {
                return;
            }
            Set<String> documented = documented(comment);
            if (documented.contains("")) {
                return;
            }
            for (String thrown : new Thrown(types.peek()).by(method)) {
                if (documented.stream().noneMatch(name -> covers(name, thrown))) {
                    long at = docs.getSourcePositions().getStartPosition(unit, method);
                    complaints.add(unit.getSourceFile().getName() + ":" + unit.getLineMap().getLineNumber(at) + ": "
                            + types.peek().getSimpleName() + "." + method.getName() + " throws " + thrown
                            + ", expected @throws in its comment");
                }
            }
        }

        /** The exceptions of a comment; an empty name says that it inherits some. */
        private Set<String> documented(DocCommentTree comment) {
            Set<String> names = new HashSet<>();
            if (comment != null) {
                new DocTreeScanner<Void, Void>() {
                    @Override
                    public Void visitThrows(ThrowsTree tag, Void nothing) {
                        String text = tag.getExceptionName().getSignature();
                        names.add(text.substring(text.lastIndexOf('.') + 1));
                        return super.visitThrows(tag, nothing);
                    }

                    @Override
                    public Void visitInheritDoc(InheritDocTree tag, Void nothing) {
                        names.add("");
                        return null;
                    }
                }.scan(comment, null);
            }
            return names;
        }
    }

    /** Finds what a method of a type throws. */
    private final class Thrown {
        private final ClassTree type;
        private final Set<Tree> seen = new HashSet<>();

        Thrown(ClassTree type) {
            this.type = type;
        }

        Set<String> by(MethodTree method) {
            Set<String> found = new TreeSet<>();
            if (seen.add(method) && method.getBody() != null) {
                new BodyScanner(found).scan(method.getBody(), null);
            }
            found.removeIf(name -> lineage(name).contains("Error") || UNKNOWN.contains(name));
            return found;
        }

        private List<MethodTree> helpers(String name, int arguments) {
            return type.getMembers().stream().filter(MethodTree.class::isInstance).map(MethodTree.class::cast)
                    .filter(method -> method.getName().contentEquals(name)
                            && method.getParameters().size() == arguments
                            && !method.getModifiers().getFlags().contains(Modifier.PUBLIC))
                    .toList();
        }

        private final class BodyScanner extends TreeScanner<Void, Void> {
            private final Set<String> found;

            BodyScanner(Set<String> found) {
                this.found = found;
            }

            @Override
            public Void visitThrow(ThrowTree statement, Void nothing) {
                ExpressionTree thrown = statement.getExpression();
                if (thrown instanceof NewClassTree created) {
                    found.add(simple(created.getIdentifier()));
                } else if (thrown instanceof MethodInvocationTree call
                        && call.getMethodSelect() instanceof IdentifierTree name) {
                    helpers(name.getName().toString(), call.getArguments().size())
                            .forEach(helper -> found.add(simple(helper.getReturnType())));
                }
                return super.visitThrow(statement, nothing);
            }

            @Override
            public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
                if (call.getMethodSelect() instanceof MemberSelectTree select
                        && select.getExpression().toString().equals("Checks")) {
                    found.add(OF_CHECKS.getOrDefault(select.getIdentifier().toString(), ARGUMENT));
                } else if (call.getMethodSelect() instanceof IdentifierTree name) {
                    String helper = name.getName().contentEquals("this") ? "<init>" : name.getName().toString();
                    helpers(helper, call.getArguments().size()).forEach(method -> found.addAll(by(method)));
                }
                return super.visitMethodInvocation(call, nothing);
            }

            @Override
            public Void visitNewClass(NewClassTree created, Void nothing) {
                if (created.getClassBody() == null && created.getIdentifier() != null
                        && simple(created.getIdentifier()).equals(type.getSimpleName().toString())) {
                    helpers("<init>", created.getArguments().size()).forEach(one -> found.addAll(by(one)));
                }
                scan(created.getArguments(), null);
                return null;
            }

            @Override
            public Void visitTry(TryTree statement, Void nothing) {
                scan(statement.getResources(), null);
                Set<String> tried = new TreeSet<>();
                new BodyScanner(tried).scan(statement.getBlock(), null);
                tried.removeIf(name -> statement.getCatches().stream().flatMap(ThrowsTags::caught)
                        .anyMatch(caught -> covers(caught, name)));
                found.addAll(tried);
                scan(statement.getCatches(), null);
                return scan(statement.getFinallyBlock(), null);
            }

            @Override
            public Void visitLambdaExpression(LambdaExpressionTree lambda, Void nothing) {
                return null;
            }

            @Override
            public Void visitClass(ClassTree local, Void nothing) {
                return null;
            }
        }
    }

    private static Stream<String> caught(CatchTree clause) {
        Tree caught = clause.getParameter().getType();
        return caught instanceof UnionTypeTree union
                ? union.getTypeAlternatives().stream().map(ThrowsTags::simple)
                : Stream.of(simple(caught));
    }
}
