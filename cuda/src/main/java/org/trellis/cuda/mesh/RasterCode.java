package org.trellis.cuda.mesh;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Raster;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshRaster;

/**
 * A raster: its values are in memory, in the precision of the loop, those of a point in whole words; or in a texture,
 * in single precision and four for each point.
 */
final class RasterCode implements ArgumentCode {
    /** Components of a texture's points. */
    private static final int CHANNELS = 4;
    /** Numbers that say where points are. */
    private static final int PLACE = 6;

    /** Values as devices have them, as long as the program has the raster. */
    private static final Map<Raster, Map<Key, Object>> ARRAYS = Collections.synchronizedMap(new WeakHashMap<>());

    private final LoopOperands source;
    private final int argument;
    private final MeshRaster declared;
    private final boolean dropped;

    private record Key(Precision precision, boolean filtered) {}

    RasterCode(LoopOperands source, int a) {
        LoopDeclaration loop = source.tables().loop();
        this.source = source;
        this.argument = a;
        this.declared = (MeshRaster) loop.argument(a);
        this.dropped = source.form().addsStored();
        Raster raster = declared.raster();
        if (declared.filtered() && (raster.components() > CHANNELS || raster.layers() > 1)) {
            throw new UnsupportedKernelException(loop.toString(), "cuda", declared + " as a texture: expected at most "
                    + CHANNELS + " components, in the plane");
        }
    }

    /** Returns the name of the member that holds origin and inverse distances. */
    static String place(int a) {
        return "q" + a;
    }

    /** Returns origin and inverse distances along each axis; those of the third come last. */
    static double[] place(Raster raster) {
        return new double[]{raster.origin(0), raster.origin(1), raster.density(0), raster.density(1),
            raster.origin(2), raster.density(2)};
    }

    /** The type of the device function's parameter. */
    String definition() {
        return "#define RASTER_" + source.tables().loop().signature(argument).name() + " "
                + (declared.filtered() ? "RasterTexture<REAL>" : "RasterValues<REAL, " + padded() + ">") + "\n";
    }

    /** Points are loaded in words of two doubles or four floats. */
    private int padded() {
        int components = declared.raster().components();
        return declared.filtered() ? CHANNELS : Math.ceilDiv(components, CHANNELS) * CHANNELS;
    }

    private Object values(boolean single) {
        Raster raster = declared.raster();
        int size = padded();
        int points = Math.multiplyExact(Math.multiplyExact(raster.columns(), raster.rows()), raster.layers());
        double[] all = new double[Math.multiplyExact(size, points)];
        for (int point = 0; point < points; point++) {
            for (int c = 0; c < raster.components(); c++) {
                all[point * size + c] = raster.get(c, point);
            }
        }
        if (!single) {
            return all;
        }
        float[] floats = new float[all.length];
        for (int i = 0; i < all.length; i++) {
            floats[i] = (float) all[i];
        }
        return floats;
    }

    /** The same array for all loops with a raster, of any mesh, so that the device has one copy. */
    private Object shared(Precision precision) {
        boolean single = precision == Precision.F32;
        return ARRAYS.computeIfAbsent(declared.raster(), raster -> new ConcurrentHashMap<>())
                .computeIfAbsent(new Key(precision, declared.filtered()), key -> values(single));
    }

    @Override
    public void load(SourceText out) {
        if (dropped) {
            return;
        }
        Precision precision = source.tables().loop().precision();
        String place = source.struct().values(place(argument), "REAL", precision.bytes(), PLACE);
        String name = LoopOperands.elementName("v" + argument);
        String where = IntStream.range(0, PLACE).mapToObj(i -> place + "[" + i + "]")
                .collect(Collectors.joining(", ", "{", "}"));
        if (declared.filtered()) {
            out.line("const RasterTexture<REAL> " + name + " = {" + source.texture("x" + argument,
                    (float[]) shared(Precision.F32), declared.raster()) + ", " + where + "};");
        } else {
            out.line("const RasterValues<REAL, " + padded() + "> " + name + " = {"
                    + source.array("x" + argument, "const REAL", shared(precision)) + ", "
                    + declared.raster().columns() + ", " + declared.raster().rows() + ", " + declared.raster().layers()
                    + ", " + where + "};");
        }
    }

    @Override
    public String pass() {
        return LoopOperands.elementName("v" + argument);
    }

    @Override
    public String toString() {
        return declared + " of " + source.tables().loop();
    }
}
