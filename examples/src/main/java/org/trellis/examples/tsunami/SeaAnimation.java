package org.trellis.examples.tsunami;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.trellis.bench.loop.MeshJob;
import org.trellis.bench.option.FrameOptions;
import org.trellis.bench.picture.MeshPicture;

/** The frames of an animation: pictures of the level in the colours of the first one, or files of all values. */
final class SeaAnimation {
    private final FrameOptions options;
    private final MeshJob here;
    private final Supplier<MeshTopology> mesh;
    private final TsunamiSolver solver;
    private final Settings settings;
    private final SeaFrames files;
    private MeshPicture.Range range;
    private int count;
    private double last = -1;

    SeaAnimation(FrameOptions options, MeshJob here, Supplier<MeshTopology> mesh, TsunamiSolver solver,
            Settings settings) {
        this.options = options;
        this.here = here;
        this.mesh = mesh;
        this.solver = solver;
        this.settings = settings;
        files = options.isAsked() ? new SeaFrames(mesh, solver, settings, options.prefix()) : null;
    }

    /** Writes a frame if it is time for one. */
    void after(int steps) throws IOException {
        if (options.isDue(steps)) {
            write();
        }
    }

    /** Writes the last frame, unless the last step had one. */
    void end() throws IOException {
        if (options.isAsked() && last < solver.time()) {
            write();
        }
    }

    private void write() throws IOException {
        last = solver.time();
        if (!options.arePictures()) {
            files.write(here, false);
            return;
        }
        double[] levels = SeaFrames.levels(solver.state().toArray(), settings);
        if (count == 0) {
            range = range(levels);
        }
        if (here.isFirst()) {
            Path prefix = options.prefix();
            SeaFrames.draw(mesh.get(), levels, range, String.format(Locale.ROOT, "after %.4g s", last),
                    prefix.resolveSibling(String.format(Locale.ROOT, "%s-%04d.png", prefix.getFileName(), count)));
        }
        count++;
    }

    /** The levels of the water, as far on both sides of the sea level as on the farther one; null for still water. */
    private MeshPicture.Range range(double[] levels) {
        double most = Arrays.stream(levels).filter(Double::isFinite).map(level -> Math.abs(level - settings.seaLevel()))
                .max().orElse(0);
        return most > 0 ? new MeshPicture.Range(settings.seaLevel() - most, settings.seaLevel() + most) : null;
    }
}
