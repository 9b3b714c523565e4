package org.trellis.bench.option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ErrorMessages;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.source.MatrixLocator;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.ProgressListener;
import org.trellis.common.TrellisException;
import org.trellis.sparse.CsrMatrix;

/** Goes through the matrices that a user named; one that fails is reported, and the rest go on. */
public final class MatrixArguments {
    private final Console console;
    private final ConsoleProgress progress;
    private final MatrixLocator locator;
    private int failures;

    /**
     * Prepares to go through matrices.
     *
     * @param console  where those that fail are reported
     * @param progress shows how far reading is
     * @param locator  finds and reads them
     */
    public MatrixArguments(Console console, ConsoleProgress progress, MatrixLocator locator) {
        this.console = console;
        this.progress = progress;
        this.locator = locator;
    }

    /** Receives a matrix that was read. */
    @FunctionalInterface
    public interface Action {
        /**
         * Does something with it.
         *
         * @param source where it came from
         * @param matrix the matrix
         * @throws IOException if something cannot be written or read; this matrix then counts as failed
         */
        void accept(MatrixSource source, CsrMatrix matrix) throws IOException;
    }

    /** Receives the name of a matrix that failed and why. */
    @FunctionalInterface
    public interface Complaint {
        /**
         * Takes a complaint.
         *
         * @param name    the matrix
         * @param message what went wrong
         */
        void accept(String name, String message);
    }

    /**
     * Goes through matrices.
     *
     * @param names     files, folders, names of the catalogue, generators
     * @param action    is given each that could be read
     * @param complaint receives each that failed
     */
    public void forEach(List<String> names, Action action, Complaint complaint) {
        forEachOf(locate(names, complaint), action, complaint);
    }

    /**
     * Goes through matrices that were found before.
     *
     * @param sources   where they come from
     * @param action    is given each that could be read
     * @param complaint receives each that failed
     */
    public void forEachOf(List<MatrixSource> sources, Action action, Complaint complaint) {
        for (MatrixSource source : sources) {
            try {
                CsrMatrix matrix = source.load(progress);
                progress.clear();
                action.accept(source, matrix);
            } catch (IOException | TrellisException | IllegalArgumentException e) {
                fail(source.name(), ErrorMessages.describe(e), complaint);
            } catch (OutOfMemoryError e) {
                fail(source.name(), "it does not fit the memory of the JVM, " + Numbers.bytes(Runtime.getRuntime()
                        .maxMemory()) + "; TRELLIS_OPTS=-Xmx... gives more", complaint);
            }
        }
    }

    /**
     * Finds matrices without reading them, so that a name that stands for nothing is said before anything is measured.
     *
     * @param names     files, folders, names of the catalogue, generators
     * @param complaint receives each that was not found
     * @return those that were, in order
     */
    public List<MatrixSource> locate(List<String> names, Complaint complaint) {
        List<MatrixSource> sources = new ArrayList<>();
        for (String name : names) {
            try {
                sources.addAll(locator.locate(name));
            } catch (IOException | IllegalArgumentException e) {
                fail(name, ErrorMessages.describe(e), complaint);
            }
        }
        return sources;
    }

    private void fail(String name, String message, Complaint complaint) {
        failures++;
        progress.clear();
        console.complain(message.startsWith(name) || message.contains(name) ? message : name + ": " + message);
        complaint.accept(name, message);
    }

    /**
     * Returns how many failed.
     *
     * @return so far
     */
    public int failures() {
        return failures;
    }

    ProgressListener progress() {
        return progress;
    }
}
