package org.trellis.internal.simd;

import org.trellis.kernel.GeneratedLoops;
import org.trellis.solve.dense.DotLoops;
import org.trellis.solve.dense.DoubleTiles;
import org.trellis.solve.dense.FloatTiles;
import org.trellis.solve.dense.TilesProvider;

/** Makes tiles and dot products that use the Vector API; does not touch it before. */
public final class VectorTilesProvider implements TilesProvider {
    /** Creates the provider; for the service loader. */
    public VectorTilesProvider() {}

    @Override
    public boolean available() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() && GeneratedLoops.fusedMultiplyAdd();
    }

    @Override
    public DoubleTiles doubles() {
        return new DoubleVectorTiles();
    }

    @Override
    public FloatTiles floats() {
        return new FloatVectorTiles();
    }

    @Override
    public DotLoops dots() {
        return new VectorDots();
    }
}
