package org.trellis.bench.report.html;

import java.util.List;
import java.util.Map;

/** The colour class of a backend or peer, the same in every chart. */
final class Palette {
    private static final Map<String, String> KNOWN = Map.of("reference", "c0", "threads", "c1", "simd", "c2", "mkl",
            "c3", "ejml", "c4", "ojalgo", "c5", "smile", "c6", "cuda", "c7", "cusparse", "c3");
    private static final List<String> OTHERS = List.of("c1", "c4", "c6", "c5", "c3");

    private Palette() {}

    static String classOf(String backend) {
        return KNOWN.getOrDefault(backend, OTHERS.get(Math.floorMod(backend.hashCode(), OTHERS.size())));
    }
}
