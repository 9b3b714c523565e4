package org.trellis.examples.tsunami;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.trellis.examples.tsunami.TriangleMesh.Bounds;
import picocli.CommandLine.Option;

/** The options that say what is simulated. */
final class SeaOptions {
    @Option(names = "--degrees", description = "The coordinates of the file are longitude and latitude, not metres.")
    private boolean degrees;

    @Option(names = "--boundary", paramLabel = "NAME=KIND", description = {
        "What is behind the lines of a file that have this tag or name: wall, open or sea. May be repeated.",
        "Default: sea behind ADCIRC's open boundaries, walls everywhere else."})
    private Map<String, String> boundaries = new LinkedHashMap<>();

    @Option(names = "--bed", paramLabel = "SHAPE", description = {
        "The bed instead of the mesh's: flat:z=-100; slope:from=-100,to=10, along x;",
        "cone:x=,y=,radius=,height=,z=, an island; bumps:z=,height=,length=."})
    private String bed;

    @Option(names = "--surface", paramLabel = "SHAPE", description = {
        "The level of the water at first: still; hump:x=,y=,radius=,height=; dam:x=,left=,right=.",
        "Default: still, at the sea level."})
    private String surface;

    @Option(names = "--uplift", paramLabel = "SHAPE", description = {
        "How bed and water rise before they are let go: hump:x=,y=,radius=,height=;",
        "fault:x=,y=,length=,width=,strike=,up=,down=, a ridge beside a trough. Default: not."})
    private String uplift;

    @Option(names = "--sea-level", paramLabel = "Z", defaultValue = "0", description = "In m. Default: 0.")
    private double seaLevel;

    @Option(names = "--minimum-depth", paramLabel = "H", defaultValue = "1e-3",
            description = "Shallower water stands still, in m. Default: 1e-3.")
    private double minimumDepth;

    @Option(names = "--courant", paramLabel = "C", defaultValue = "0.9",
            description = "The share of the largest time step that keeps depths positive. Default: 0.9.")
    private double courant;

    @Option(names = "--refine", paramLabel = "N", defaultValue = "0",
            description = "Cut each triangle into four, N times. Default: 0.")
    private int refine;

    @Option(names = "--cut", paramLabel = "K", defaultValue = "1",
            description = "Cut each side into K parts, and each triangle into K x K. Default: 1.")
    private int cut;

    Settings settings() {
        return Settings.DEFAULT.withSeaLevel(seaLevel).withMinimumDepth(minimumDepth).withCourant(courant);
    }

    boolean degrees() {
        return degrees;
    }

    /** The kinds of boundary edges by the names or numbers of their tags. */
    Map<String, Integer> boundaries() {
        Map<String, Integer> kinds = new LinkedHashMap<>();
        boundaries.forEach((name, kind) -> kinds.put(name, TsunamiCase.boundary("--boundary " + name, kind)));
        return kinds;
    }

    /** Changes a case as the options say; what they leave open stays. */
    TsunamiCase applied(TsunamiCase input) {
        if (refine < 0 || refine > 14) {
            throw new IllegalArgumentException("--refine is " + refine + ", expected 0 to 14");
        }
        TriangleMesh mesh = input.mesh();
        Bounds bounds = mesh.bounds();
        if (bed != null) {
            mesh = mesh.withBed(Shapes.bed(bed, bounds));
        }
        // A level or bed of one's own is not what the exact solution is about.
        boolean own = bed != null || surface != null || uplift != null;
        Optional<Field> level = surface == null
                ? input.surface()
                : Optional.of(Shapes.surface(surface, bounds, seaLevel));
        return new TsunamiCase(input.name(), Subdivision.of(mesh, Math.multiplyExact(cut, 1 << refine)), level,
                own ? Optional.empty() : input.exact());
    }

    /** Says whether nothing should ever move. */
    boolean atRest(TsunamiCase sea) {
        return sea.surface().isEmpty() && uplift == null;
    }

    /** The state at time zero. */
    double[] initialState(TsunamiCase sea, MeshTopology topology) {
        Bounds bounds = sea.mesh().bounds();
        return InitialState.of(topology, sea.surface().orElse(Shapes.flat(seaLevel)),
                uplift == null ? Shapes.flat(0) : Shapes.uplift(uplift, bounds));
    }
}
