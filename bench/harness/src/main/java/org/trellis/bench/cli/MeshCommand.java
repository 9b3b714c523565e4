package org.trellis.bench.cli;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.bench.report.MeshDocument;
import org.trellis.bench.report.Numbers;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellGroup;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshEncoding;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.GraphBuilder;
import org.trellis.mesh.order.OrderMeasures;
import org.trellis.mesh.order.Orderings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes a mesh file, draws it and converts it. */
@Command(name = "mesh", sortOptions = false,
        description = "Shows what is in a mesh file, draws it, or writes it in another format.")
final class MeshCommand extends ConsoleCommand {
    private static final int WINDOW_NUMBERS = 4;

    @Parameters(paramLabel = "FILE",
            description = {"The mesh: .vtk, .vtu, .msh, .node, .ele, .grd, .14",
                "or .dat, also with .gz; or .cgns."})
    private Path file;

    @Option(names = "--picture", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PICTURE,
            description = "Draw the mesh, as PNG. Without FILE: " + OutputFile.DEFAULT_PICTURE + ".")
    private Path picture;

    @Option(names = "--field", paramLabel = "NAME",
            description = "Colour the picture by the cell or point data of this name.")
    private String field;

    @Option(names = "--component", paramLabel = "N", defaultValue = "0",
            description = "Which component of the field, from 0. Default: 0.")
    private int component;

    @Option(names = "--window", paramLabel = "X0,X1,Y0,Y1", description = "Draw this part only.")
    private String window;

    @Option(names = "--output", paramLabel = "OUT", description = "Write the mesh to this file: .vtu, .vtk or .msh.")
    private Path output;

    @Option(names = "--encoding", paramLabel = "E", defaultValue = "APPENDED_RAW",
            description = "How numbers are written: ${COMPLETION-CANDIDATES}. Default: appended_raw.")
    private MeshEncoding encoding;

    @Mixin
    private JsonOption json;

    MeshCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(() -> {
            OutputFile.checkPicture("--picture", picture);
            OutputFile.check("--output", output);
            json.check();
        });
        MeshPicture.Window part = checked(this::window);
        MeshData mesh = MeshFiles.read(file);
        Graph graph = graph(mesh);
        print(mesh, graph);
        json.write(console(), () -> MeshDocument.of(file.toString(), mesh, OrderMeasures.of(graph),
                OrderMeasures.of(graph, Orderings.reverseCuthillMcKee(graph)),
                provenance()));
        if (picture != null) {
            MeshPicture.write(mesh, field(mesh), part, String.valueOf(file.getFileName()), picture);
            console().print("  picture           %s", picture);
        }
        if (output != null) {
            MeshFiles.write(output, mesh, new MeshWriteOptions(encoding, true, ByteOrder.LITTLE_ENDIAN, true));
            console().print("  written           %s", output);
        }
        return ExitCode.OK;
    }

    private MeshPicture.Window window() {
        if (window == null) {
            return null;
        }
        try {
            double[] numbers = Arrays.stream(window.split(",")).mapToDouble(Double::parseDouble).toArray();
            if (numbers.length == WINDOW_NUMBERS) {
                return new MeshPicture.Window(numbers[0], numbers[1], numbers[2], numbers[3]);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--window is '" + window + "', expected four numbers X0,X1,Y0,Y1", e);
        }
        throw new IllegalArgumentException("--window is '" + window + "', expected four numbers X0,X1,Y0,Y1");
    }

    private MeshPicture.Field field(MeshData mesh) {
        if (field == null) {
            return null;
        }
        Optional<DataArray> onCells = mesh.cellArray(field);
        DataArray array = onCells.or(() -> mesh.pointArray(field)).orElseThrow(() -> new IllegalArgumentException(
                "the mesh has no data '" + field + "', expected one of " + names(mesh)));
        return new MeshPicture.Field(array, onCells.isPresent(), component);
    }

    private static List<String> names(MeshData mesh) {
        return Stream.concat(mesh.cellData().stream(), mesh.pointData().stream())
                .map(DataArray::name).toList();
    }

    /** Joins the points of each cell. */
    private static Graph graph(MeshData mesh) {
        GraphBuilder builder = new GraphBuilder(mesh.pointCount());
        mesh.blocks().forEach(block -> builder.joinTargets(block.toString(), block.nodes(), block.nodesPerCell()));
        return builder.build();
    }

    private void print(MeshData mesh, Graph graph) {
        console().print("%s", file);
        console().print("  points            %s in %d dimensions", Numbers.count(mesh.pointCount()), mesh.dimensions());
        for (int d = 0; d < mesh.dimensions() && mesh.pointCount() > 0; d++) {
            console().print("  %s                 %s", "xyz".charAt(d), range(mesh.points(), mesh.dimensions(), d));
        }
        for (CellBlock block : mesh.blocks()) {
            console().print("  %-17s %s with %d nodes each", block.shape().name().toLowerCase(Locale.ROOT),
                    Numbers.count(block.cells()), block.nodesPerCell());
        }
        mesh.pointData().forEach(array -> data("point data", array));
        mesh.cellData().forEach(array -> data("cell data", array));
        for (CellGroup group : mesh.groups()) {
            console().print("  group             %s (dimension %d, tag %d)", group.name(), group.dimension(),
                    group.tag());
        }
        mesh.remarks().forEach(remark -> console().print("  remark            %s", remark));
        console().print("  numbering         %s", OrderMeasures.of(graph));
        console().print("  after reverse CM  %s", OrderMeasures.of(graph, Orderings.reverseCuthillMcKee(graph)));
    }

    private void data(String kind, DataArray array) {
        console().print("  %-17s %s: %s%s", kind, array, range(array.values(), array.components(), 0),
                array.components() == 1 ? "" : ", the first component");
    }

    private static String range(double[] values, int stride, int first) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        for (int i = first; i < values.length; i += stride) {
            least = Math.min(least, values[i]);
            greatest = Math.max(greatest, values[i]);
        }
        return least <= greatest
                ? String.format(Locale.ROOT, "%.6g to %.6g", least, greatest)
                : values.length == 0 ? "no values" : "not all are numbers";
    }
}
