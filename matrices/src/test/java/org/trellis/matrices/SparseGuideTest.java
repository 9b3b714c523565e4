package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/how-to/sparse.md shows compiles and runs. */
final class SparseGuideTest {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final String LAST_CELL = " | `";
    private static final Path GUIDE = Path.of("..", "docs", "how-to", "sparse.md");
    private static final String FRAME = """
            import java.util.*;
            import org.trellis.common.*;
            import org.trellis.memory.*;
            import org.trellis.mesh.order.*;
            import org.trellis.solve.*;
            import org.trellis.solve.direct.*;
            import org.trellis.solve.eigen.*;
            import org.trellis.sparse.*;
            import org.trellis.sparse.algebra.*;
            import org.trellis.systems.*;
            public final class Fragment%d {
                public static void main(String[] arguments) {
                    CsrMatrix a = DenseBlocks.fromRows(new double[][]{{4, 1, 0}, {1, 4, 1}, {0, 1, 4}}, Precision.F64);
                    CsrMatrix b = CsrMatrix.identity(3, Precision.F64);
                    CsrMatrix p = a.selectColumns(0, 2);
                    HostVector d = HostVector.of(1.0, 2, 3);
                    double[] x = {3, 2, 1};
                    %s
                }
            }
            """;

    private static List<String> blocks() throws IOException {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(Files.readString(GUIDE));
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        return blocks;
    }

    @Test
    void programSolvesASystem(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("line.mtx");
        Files.writeString(file, """
                %%MatrixMarket matrix coordinate real symmetric
                3 3 5
                1 1 2
                2 1 -1
                2 2 2
                3 2 -1
                3 3 2
                """);
        assertTrue(
                run(folder, "FirstSolution", blocks().getFirst(), file.toString()).startsWith("CONVERGED, x[0] = 1.5"));
    }

    @Test
    void fragmentsRun(@TempDir Path folder) throws Exception {
        List<String> blocks = blocks();
        assertTrue(blocks.size() > 3, "the guide has " + blocks.size() + " blocks of code");
        List<String> outputs = new ArrayList<>();
        for (int i = 1; i < blocks.size(); i++) {
            outputs.add(run(folder, "Fragment" + i, String.format(Locale.ROOT, FRAME, i, blocks.get(i))));
        }
        assertEquals("true, residual below 1e-7: true\n", outputs.get(0));
        assertEquals("true\nCSR matrix 2 x 3, 2 non-zeros, f64\n1  .    .\n.  .  4.5\n", outputs.get(1));
    }

    /** The last column of the tables that say what to write here. */
    @Test
    void everyLineForNewcomersRuns(@TempDir Path folder) throws Exception {
        List<String> expressions = new ArrayList<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(Path.of("..", "docs", "how-to", "coming-from.md"))) {
            inTable = line.endsWith("| Trellis |") || (inTable && line.startsWith("|"));
            int last = line.lastIndexOf(LAST_CELL);
            if (inTable && last > 0) {
                expressions.add(line.substring(last + LAST_CELL.length(), line.lastIndexOf('`')));
            }
        }
        assertTrue(expressions.size() > 95, expressions.size() + " lines: " + expressions);
        StringBuilder statements = new StringBuilder();
        for (int i = 0; i < expressions.size(); i++) {
            statements.append("Object o").append(i).append(" = ").append(expressions.get(i)).append(";\n");
        }
        run(folder, "Fragment0", String.format(Locale.ROOT, FRAME, 0, statements));
    }

    static String run(Path folder, String name, String source, String... arguments) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        boolean compiled = compiler.getTask(messages, null, null,
                List.of("-d", folder.toString(), "-proc:none", "-cp", System.getProperty("java.class.path")), null,
                List.of(new SimpleJavaFileObject(URI.create("memory:///" + name + ".java"),
                        JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                })).call();
        assertTrue(compiled, messages + "\n" + source);
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (URLClassLoader loader = new URLClassLoader(new URL[]{folder.toUri().toURL()},
                SparseGuideTest.class.getClassLoader());
                PrintStream captured = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(captured);
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) arguments);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).replace("\r", "");
    }
}
