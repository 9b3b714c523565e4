package org.trellis.cuda.fem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.common.Precision;
import org.trellis.cuda.TestNvcc;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.fem.DeviceForms.Elements;
import org.trellis.fem.DeviceForms.Kept;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.integrate.ElementTables;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.fem.integrate.Formulation;

/**
 * Compiles forms for one architecture with nvcc, where it is found, and holds the compiler to its report: kernels that
 * are bound by memory spill nothing and leave room for other threads.
 */
@Tag("nightly")
class FormCompilationTest {
    private static final Pattern KERNEL = Pattern.compile("Compiling entry function '(\\w+)'");
    private static final Pattern SPILLS = Pattern.compile("(\\d+) bytes spill stores");
    private static final int LITTLE = 40;
    private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");

    @TempDir
    private Path folder;

    private record Figures(int spills, int registers) {}

    @ParameterizedTest
    @CsvSource({"HEXAHEDRON, 3, FACTORS, SUM_FACTORISED, formApply, 128",
        "HEXAHEDRON, 4, FACTORS, SUM_FACTORISED, formApply, 128",
        "HEXAHEDRON, 1, FACTORS, SUM_FACTORISED, formApply, 128",
        "QUADRILATERAL, 2, FACTORS, SUM_FACTORISED, formApply, 128",
        "QUADRILATERAL, 3, FACTORS, SUM_FACTORISED, formApply, 128",
        "HEXAHEDRON, 3, FACTORS, SUM_FACTORISED, formSweep, 128",
        "QUADRILATERAL, 1, SEARCHED_ROWS, GLOBAL_REUSE, formRows, 128",
        "HEXAHEDRON, 4, ROWS, SUM_FACTORISED, formRows, 128",
        "HEXAHEDRON, 3, MATRICES, SUM_FACTORISED, formMatrices, 128",
        "QUADRILATERAL, 2, MATRICES, GLOBAL_REUSE, formSweep, 64",
        "QUADRILATERAL, 1, MATRICES, GLOBAL_REUSE, formProduct, 64"})
    void spillsNothing(ElementShape shape, int degree, Kept kept, Formulation formulation, String kernel, int most)
            throws IOException, InterruptedException {
        Figures figures = figures(shape, degree, kept, formulation, kernel);
        assertEquals(0, figures.spills(), "bytes that " + kernel + " spills");
        assertTrue(figures.registers() <= most, kernel + " has " + figures.registers() + " registers, expected at most "
                + most);
    }

    /** Eight resident blocks with a few bytes spilled are faster than six with none. */
    @Test
    void rowsOfSquaresSpillLittle() throws IOException, InterruptedException {
        Figures figures =
                figures(ElementShape.QUADRILATERAL, 1, Kept.ROWS, Formulation.GLOBAL_REUSE, "formRows");
        assertTrue(figures.spills() <= LITTLE, figures.spills() + " bytes spilled, expected at most " + LITTLE);
        assertTrue(figures.registers() <= 64, figures.registers() + " registers, expected at most 64");
    }

    private Figures figures(ElementShape shape, int degree, Kept kept, Formulation formulation, String kernel)
            throws IOException, InterruptedException {
        LagrangeElement element = LagrangeElement.of(shape, degree);
        FormKernels kernels = new FormKernels(ElementTables.of(element, LagrangeElement.of(shape, 1)), 1,
                new FormKernels.Field(new double[]{1}, 1, false), null, null);
        FormShape form = FormShape.of(new Elements(kernels, Precision.F64, 1, new int[0], new double[0], List.of(),
                new int[0], 0, formulation), kept, false, 9);
        int threads = kept == Kept.FACTORS && kernel.equals("formApply") ? form.factorisedThreads() : form.rowThreads();
        return compile(form.source(threads, form.stored())).get(kernel);
    }

    @Test
    void findsStructuresWithoutSpills() throws IOException, InterruptedException {
        for (Map.Entry<String, Figures> kernel : compile(ElementStructure.source(27, 8)).entrySet()) {
            assertEquals(0, kernel.getValue().spills(), "bytes that " + kernel.getKey() + " spills");
        }
    }

    private Map<String, Figures> compile(KernelSource source) throws IOException, InterruptedException {
        for (Map.Entry<String, String> header : source.headers().entrySet()) {
            Files.writeString(folder.resolve(header.getKey()), header.getValue());
        }
        Files.writeString(folder.resolve(source.name()), source.text());
        List<String> command =
                new ArrayList<>(List.of(TestNvcc.path().toString(), "-arch=sm_90", "--std=c++17", "-cubin",
                        "-Xptxas", "-v", source.name(), "-o", "form.cubin"));
        command.addAll(source.options());
        Process process =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), log);
        Map<String, Figures> figures = new TreeMap<>();
        String kernel = "";
        int spilled = 0;
        for (String line : log.split("\n")) {
            Matcher entry = KERNEL.matcher(line);
            Matcher spills = SPILLS.matcher(line);
            Matcher registers = REGISTERS.matcher(line);
            if (entry.find()) {
                kernel = entry.group(1);
            } else if (spills.find()) {
                spilled = Integer.parseInt(spills.group(1));
            } else if (registers.find()) {
                figures.put(kernel, new Figures(spilled, Integer.parseInt(registers.group(1))));
            }
        }
        if (Boolean.getBoolean("trellis.test.compilations")) {
            System.out.println(source.name() + " " + figures);
        }
        return figures;
    }
}
