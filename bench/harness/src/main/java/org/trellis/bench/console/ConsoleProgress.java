package org.trellis.bench.console;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Locale;
import org.trellis.bench.text.Printable;
import org.trellis.common.ProgressListener;

/** A bar that is redrawn on a terminal, and a line for each stage elsewhere. */
public final class ConsoleProgress implements ProgressListener, AutoCloseable {
    private static final int BAR = 28;
    private static final int STAGE = 40;
    private static final long REDRAW_NANOSECONDS = 80_000_000;
    private static final String CLEAR = "\r\u001b[K";

    private final Console console;
    private final boolean quiet;
    private String lastStage = "";
    private long lastDrawn;
    private boolean drawn;
    private ProgressListener other = NONE;

    /**
     * Creates a bar that shows nothing yet.
     *
     * @param console where to draw
     * @param quiet   true to show nothing ever
     */
    @MustBeClosed
    public ConsoleProgress(Console console, boolean quiet) {
        this.console = console;
        this.quiet = quiet;
    }

    /**
     * Passes on what this is given, whether it is shown or not.
     *
     * @param listener who
     */
    public synchronized void alsoTell(ProgressListener listener) {
        other = listener;
    }

    @Override
    public synchronized void progress(String stage, long done, long total) {
        other.progress(stage, done, total);
        if (quiet) {
            return;
        }
        if (console.terminal()) {
            draw(stage, done, total);
        } else if (!stage.equals(lastStage)) {
            console.err().println(Printable.line(stage) + " ...");
            console.err().flush();
        }
        lastStage = stage;
    }

    private void draw(String stage, long done, long total) {
        long now = System.nanoTime();
        if (drawn && stage.equals(lastStage) && now - lastDrawn < REDRAW_NANOSECONDS && done < total) {
            return;
        }
        lastDrawn = now;
        drawn = true;
        double share = total <= 0 ? 0 : Math.min(1, (double) done / total);
        int full = (int) Math.round(share * BAR);
        String bar = "━".repeat(full) + "╌".repeat(BAR - full);
        String shown = Printable.line(stage);
        String name = shown.length() <= STAGE ? shown : shown.substring(0, STAGE - 1) + "…";
        console.rawErr().printf(Locale.ROOT, "%s%-" + STAGE + "s %s %3.0f %%", CLEAR, name, bar, 100 * share);
        console.rawErr().flush();
    }

    /** Removes the bar, so that what is printed next starts on a clean line. */
    public synchronized void clear() {
        if (drawn) {
            console.rawErr().print(CLEAR);
            console.rawErr().flush();
            drawn = false;
        }
    }

    @Override
    public void close() {
        clear();
    }
}
