package org.trellis.bench.option;

import java.nio.file.Files;
import java.nio.file.Path;
import org.trellis.common.Checks;
import picocli.CommandLine.Option;

/** The options of an animation: a folder of frames, as pictures or as files for ParaView. */
public final class FrameOptions {
    private static final String NAME = "frame";
    private static final String PICTURES = "png";
    private static final String FILES = "vtu";

    @Option(names = "--frames", paramLabel = "DIR", description = {
        "Write the frames of an animation into this folder, from the beginning to the end: frame-0000.png and so on."})
    private Path folder;

    @Option(names = "--frame-every", paramLabel = "N", description = "Steps or sweeps between frames. Default: 1.")
    private Integer every;

    @Option(names = "--frame-format", paramLabel = "F",
            description = "png, or vtu with frame.pvd, which lists the files. Default: png.")
    private String format;

    /** Creates the options without frames. */
    public FrameOptions() {}

    /**
     * Checks what is given.
     *
     * @throws IllegalArgumentException if there is no such folder, a number is not positive, a format unknown, or
     *                                  there is no folder but the rest
     */
    public void check() {
        if (folder == null && (every != null || format != null)) {
            throw new IllegalArgumentException("--frame-every and --frame-format are for --frames, expected that too");
        }
        if (folder != null && !Files.isDirectory(folder)) {
            throw new IllegalArgumentException("--frames " + folder + " is no folder, expected one");
        }
        if (every != null) {
            Checks.positive("--frame-every", every);
        }
        if (format != null && !format.equals(PICTURES) && !format.equals(FILES)) {
            throw new IllegalArgumentException("--frame-format is '" + format + "', expected png or vtu");
        }
    }

    /**
     * Says whether there are to be frames.
     *
     * @return true if a folder is given
     */
    public boolean isAsked() {
        return folder != null;
    }

    /**
     * Says whether it is time for a frame.
     *
     * @param steps the number of steps that have been done
     * @return true if there are to be frames, and one now
     */
    public boolean isDue(int steps) {
        return isAsked() && steps % (every == null ? 1 : every) == 0;
    }

    /**
     * Says what frames are.
     *
     * @return true for pictures, false for files of meshes
     */
    public boolean arePictures() {
        return !FILES.equals(format);
    }

    /**
     * Returns what the names of all files start with.
     *
     * @return a path in the folder
     */
    public Path prefix() {
        return folder.resolve(NAME);
    }
}
