package org.trellis.examples.tsunami;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.trellis.bench.loop.MeshJob;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.bench.picture.VtuSeries;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;
import org.trellis.matrices.mesh.NumberType;
import org.trellis.matrices.mesh.ParallelVtu;
import org.trellis.mesh.MeshRanks;

/**
 * Writes the water from time to time, as a series of VTU files and a PVD file that lists them with their times (both
 * are ParaView's).
 */
final class SeaFrames {
    private static final int STATE = 4;
    private static final int BED = 3;
    private static final int SPACE = 3;

    private final TsunamiSolver solver;
    private final Settings settings;
    private final Supplier<MeshTopology> mesh;
    private final VtuSeries series;
    private MeshTopology drawn;
    private MeshData bed;

    /**
     * Prepares to write.
     *
     * @param mesh     the mesh, which may be another one each time
     * @param solver   the water
     * @param settings minimum depth
     * @param prefix   the start of the names of the files, {@code PREFIX-0000.vtu} and {@code PREFIX.pvd}
     */
    SeaFrames(Supplier<MeshTopology> mesh, TsunamiSolver solver, Settings settings, Path prefix) {
        this.solver = solver;
        this.settings = settings;
        this.mesh = mesh;
        this.series = new VtuSeries(prefix);
    }

    private MeshData bed() {
        if (drawn != mesh.get()) {
            drawn = mesh.get();
            bed = bed(drawn);
        }
        return bed;
    }

    /** The mesh in space. */
    private static MeshData bed(MeshTopology topology) {
        TriangleMesh mesh = topology.mesh();
        double[] points = new double[SPACE * mesh.nodes()];
        for (int node = 0; node < mesh.nodes(); node++) {
            points[SPACE * node] = mesh.x(node);
            points[SPACE * node + 1] = mesh.y(node);
            points[SPACE * node + 2] = mesh.bed()[node];
        }
        int[] numbers = new int[topology.cells()];
        Arrays.setAll(numbers, cell -> cell);
        CellBlock block = new CellBlock(CellShape.TRIANGLE, TriangleMesh.CORNERS, topology.cellNodes(), numbers);
        return new MeshData(SPACE, points, List.of(block), List.of(), List.of(), List.of());
    }

    /**
     * Writes the water as it is now. On several ranks all of them call this, and the first one writes.
     *
     * @param here  the rank
     * @param crest whether the highest levels are known
     * @throws IOException if a file cannot be written
     */
    void write(MeshJob here, boolean crest) throws IOException {
        List<DataArray> data = fields(solver.state().toArray(), crest ? solver.crest().toArray() : null);
        if (here.isFirst()) {
            Path file = series.next(".vtu");
            MeshFiles.write(file, new MeshData(SPACE, bed().points(), bed().blocks(), List.of(), data, List.of()),
                    MeshWriteOptions.DEFAULT);
            series.list(solver.time(), file);
        }
    }

    /**
     * Writes the water as it is now, each of several ranks its own cells, and the first one what lists them.
     *
     * @param here  the rank
     * @param ranks how many there are
     * @param crest whether the highest levels are known
     * @throws IOException if a file cannot be written
     */
    void writePiece(MeshJob here, MeshRanks ranks, boolean crest) throws IOException {
        int[] cells = DistributedMesh.owned(solver.state().set());
        List<DataArray> data = fields(DistributedMesh.ownedValues(solver.state()),
                crest ? DistributedMesh.ownedValues(solver.crest()) : null);
        Path index = series.next(".pvtu");
        MeshFiles.write(ParallelVtu.file(index, ranks.rank()), ParallelVtu.piece(bed(), cells, data),
                MeshWriteOptions.DEFAULT);
        if (here.isFirst()) {
            ParallelVtu.writeIndex(index, ranks.ranks(), data);
            series.list(solver.time(), index);
        } else {
            series.skip();
        }
    }

    private List<DataArray> fields(double[] state, double[] crest) {
        List<DataArray> data = new ArrayList<>(List.of(array("level", 1, component(state, 0)),
                array("depth", 1, depths(state)), array("velocity", SPACE, velocities(state)),
                array("bed", 1, component(state, BED))));
        if (crest != null) {
            data.add(array("crest", 1, crest));
        }
        return data;
    }

    /**
     * Draws the level of the water, land in grey.
     *
     * @param topology the mesh
     * @param state    (η, hu, hv, z) of each cell
     * @param time     in s
     * @param settings minimum depth
     * @param name     for the title
     * @param file     the picture, as PNG
     * @throws IOException if it cannot be written
     */
    static void draw(MeshTopology topology, double[] state, double time, Settings settings, String name, Path file)
            throws IOException {
        draw(topology, levels(state, settings), null, String.format(Locale.ROOT, "%s after %.4g s", name, time), file);
    }

    /** Draws levels with a range of colours, or with their own if it is null. */
    static void draw(MeshTopology topology, double[] levels, MeshPicture.Range range, String title, Path file)
            throws IOException {
        MeshPicture.write(plane(topology), new MeshPicture.Field(DataArray.of("level in m", 1, levels), true, 0), null,
                range, title, file);
    }

    /** The level of the water in each cell, not a number on land. */
    static double[] levels(double[] state, Settings settings) {
        double[] level = new double[state.length / STATE];
        Arrays.setAll(level, cell -> state[STATE * cell] - state[STATE * cell + BED] > settings.minimumDepth()
                ? state[STATE * cell]
                : Double.NaN);
        return level;
    }

    /** The mesh in the plane. */
    static MeshData plane(MeshTopology topology) {
        return new MeshData(2, topology.mesh().coordinates(), bed(topology).blocks(), List.of(), List.of(), List.of());
    }

    private static DataArray array(String name, int components, double[] values) {
        return new DataArray(name, components, NumberType.FLOAT32, values);
    }

    private static double[] component(double[] state, int component) {
        double[] values = new double[state.length / STATE];
        Arrays.setAll(values, cell -> state[STATE * cell + component]);
        return values;
    }

    /** The depth of each cell. */
    static double[] depths(double[] state) {
        double[] values = new double[state.length / STATE];
        Arrays.setAll(values, cell -> state[STATE * cell] - state[STATE * cell + BED]);
        return values;
    }

    private double[] velocities(double[] state) {
        double[] values = new double[state.length / STATE * SPACE];
        for (int cell = 0; cell < state.length / STATE; cell++) {
            double depth = Math.max(state[STATE * cell] - state[STATE * cell + BED], settings.minimumDepth());
            values[SPACE * cell] = state[STATE * cell + 1] / depth;
            values[SPACE * cell + 1] = state[STATE * cell + 2] / depth;
        }
        return values;
    }
}
