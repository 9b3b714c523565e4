package org.trellis.matrices.catalogue;

import java.util.List;
import org.trellis.matrices.generate.MatrixGenerator;
import org.trellis.matrices.generate.MatrixSpec;

/** Generators with fixed parameters, of 0.5 to 5 million non-zeros: one of each kind of structure. */
final class Presets {
    private Presets() {}

    static List<CatalogueEntry> entries() {
        return List.of(entry("poisson2d-1m", "poisson2d:nx=1000"), entry("poisson3d-512k", "poisson3d:nx=80"),
                entry("hpcg-110k", "poisson3d:nx=48,points=27"),
                entry("anisotropic-250k", "anisotropic2d:nx=500,epsilon=0.001,angle=30"),
                entry("jump-checkerboard-262k", "jump3d:nx=64,block=8,contrast=1e6"),
                entry("elasticity3d-40k", "elasticity3d:nx=23"), entry("banded-200k", "banded:n=200000,lower=10"),
                entry("random-100k", "random:rows=100000,lengths=normal,mean=32,deviation=8"),
                entry("power-law-300k", "random:rows=300000,lengths=power,exponent=2,max=5000"),
                entry("huge-row-200k", "random:rows=200000,lengths=huge,mean=10,hugeRows=1,hugeLength=100000"),
                entry("block6-20k", "block:blockRows=20000,block=6,neighbours=6,window=400"),
                entry("rmat-65k", "rmat:scale=16,edgeFactor=16"));
    }

    private static CatalogueEntry entry(String name, String text) {
        MatrixSpec spec = MatrixSpec.parse(text);
        MatrixGenerator generator = spec.kind().generator(spec.arguments());
        return new CatalogueEntry(name, EntryKind.GENERATED, spec.kind().description(), "generator " + text,
                EntryFacts.of(generator.rows(), generator.columns()), spec::generate);
    }
}
