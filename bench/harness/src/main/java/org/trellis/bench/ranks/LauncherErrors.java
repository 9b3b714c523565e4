package org.trellis.bench.ranks;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.trellis.bench.console.Console;

/**
 * What comes on the standard error of a launcher of MPI: what its processes print is forwarded, the launcher's own
 * banners are kept for one sentence.
 */
final class LauncherErrors extends Thread {
    /** What every message about a failed job has. */
    private static final Pattern COMPLAINT = Pattern.compile("trellis: .*|.*the job of \\d+ ranks failed.*");
    /** The lines between which Open MPI puts its banners, and those of MPICH's. */
    private static final Pattern RULE = Pattern.compile("-{60,}");
    private static final Pattern OTHER_NOISE = Pattern.compile("=+|= .*|\\[(proxy|mpiexec|.*:\\d+)[\\]@:].*"
            + "|YOUR APPLICATION TERMINATED WITH THE EXIT STRING.*|This typically refers to a problem with your.*"
            + "|Please see the FAQ page for debugging.*|MPI_ABORT was invoked on rank.*|Abort\\(\\d+\\).*"
            + "|application called MPI_Abort.*");
    /** What a rank says that the launcher has ended because of another. */
    private static final Pattern CONSEQUENCE = Pattern.compile(".*process ended before its task did.*");
    /** What each JVM says, and what this one has said already. */
    private static final Pattern SAID_BEFORE = Pattern.compile("WARNING: Using incubator modules: .*");
    /** Lines of a banner that say what happened. */
    private static final Pattern TELLING = Pattern.compile(".*(exited on signal|EXIT CODE|KILLED|not enough slots"
            + "|was unable to|could not|noticed that|non-zero).*", Pattern.CASE_INSENSITIVE);

    /** What Open MPI says to root, in many lines; the names of its variables are what helps. */
    private static final Pattern ROOT = Pattern.compile(".*attempt to run as root.*");

    private final InputStream stream;
    private final Console console;
    private final List<String> banners = new ArrayList<>();
    private String consequence = "";
    private boolean inBanner;
    private boolean complained;

    LauncherErrors(InputStream stream, Console console) {
        super("trellis-mpirun-errors");
        this.stream = stream;
        this.console = console;
        setDaemon(true);
    }

    @Override
    public void run() {
        StringBuilder line = new StringBuilder();
        try (Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            for (int next = reader.read(); next >= 0; next = reader.read()) {
                if (next == '\n') {
                    take(line.toString());
                    line.setLength(0);
                } else if (next != '\r') {
                    line.append((char) next);
                }
            }
        } catch (IOException e) {
            // The process is gone; what it said so far has been forwarded.
            banners.add("its messages ended with " + e.getMessage());
        }
        if (!line.isEmpty()) {
            take(line.toString());
        }
    }

    private void take(String line) {
        if (RULE.matcher(line).matches()) {
            inBanner = !inBanner;
        } else if (inBanner || OTHER_NOISE.matcher(line).matches()) {
            banners.add(line.strip());
        } else if (CONSEQUENCE.matcher(line).matches()) {
            consequence = line.strip();
        } else if (!line.isBlank() && !SAID_BEFORE.matcher(line).matches()) {
            complained |= COMPLAINT.matcher(line).matches();
            console.err().println(line);
            console.err().flush();
        }
    }

    /** Says whether a rank said why the job failed; once this thread has ended. */
    boolean haveComplained() {
        return complained;
    }

    /** Returns what the launcher said, as the end of a sentence; once this thread has ended. */
    String launcherSays() {
        if (banners.stream().anyMatch(line -> ROOT.matcher(line).matches())) {
            return ": it does not start processes as root unless the variables OMPI_ALLOW_RUN_AS_ROOT and "
                    + "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM are both 1; expected another user, or these";
        }
        List<String> telling = banners.stream().filter(line -> TELLING.matcher(line).matches()).toList();
        List<String> said = telling.isEmpty() ? banners.stream().filter(line -> !line.isBlank()).toList() : telling;
        return said.isEmpty()
                ? consequence.isEmpty() ? "" : ": " + consequence
                : ": " + String.join(" ", said);
    }
}
