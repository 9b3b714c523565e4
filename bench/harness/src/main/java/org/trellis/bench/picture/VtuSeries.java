package org.trellis.bench.picture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.trellis.bench.text.Markup;
import org.trellis.file.AtomicFile;

/** A series of files, {@code PREFIX-0000.vtu} and so on, and {@code PREFIX.pvd}, which lists them for ParaView. */
public final class VtuSeries {
    private final Path prefix;
    private final StringBuilder entries = new StringBuilder();
    private int count;

    /**
     * Begins a series.
     *
     * @param prefix the start of all names
     */
    public VtuSeries(Path prefix) {
        this.prefix = Objects.requireNonNull(prefix);
    }

    /**
     * Returns the name of the next file.
     *
     * @param ending how it ends, with its dot
     * @return the file, to be written and then listed
     */
    public Path next(String ending) {
        return prefix.resolveSibling(String.format(Locale.ROOT, "%s-%04d%s", prefix.getFileName(), count, ending));
    }

    /** Counts a file that another process lists. */
    public void skip() {
        count++;
    }

    /**
     * Lists a file that has been written.
     *
     * @param time the time that it belongs to
     * @param file the file
     * @throws IOException if the list cannot be written
     */
    public void list(double time, Path file) throws IOException {
        count++;
        entries.append(new Markup().empty("DataSet", "timestep", String.format(Locale.ROOT, "%.9g", time), "file",
                String.valueOf(file.getFileName()))).append('\n');
        AtomicFile.writeText(prefix.resolveSibling(prefix.getFileName() + ".pvd"),
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n" + entries
                        + "</Collection>\n</VTKFile>\n");
    }
}
