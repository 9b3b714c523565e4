package org.trellis.bench.report.chart;

import java.util.List;
import java.util.Map;
import org.trellis.bench.chart.Ink;

/** The colour of a backend or peer, the same in every chart and table. */
public final class Palette {
    private static final Map<String, Ink> KNOWN = Map.of("reference", Ink.C0, "threads", Ink.C1, "simd", Ink.C2, "mkl",
            Ink.C3, "ejml", Ink.C4, "ojalgo", Ink.C5, "smile", Ink.C6, "cuda", Ink.C7, "cusparse", Ink.C3);
    private static final List<Ink> OTHERS = List.of(Ink.C1, Ink.C4, Ink.C6, Ink.C5, Ink.C3);

    private Palette() {}

    /**
     * Returns the colour of a backend.
     *
     * @param backend its name, or a peer's
     * @return one colour for one name
     */
    public static Ink inkOf(String backend) {
        return KNOWN.getOrDefault(backend, OTHERS.get(Math.floorMod(backend.hashCode(), OTHERS.size())));
    }
}
