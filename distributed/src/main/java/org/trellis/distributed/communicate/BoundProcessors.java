package org.trellis.distributed.communicate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How many processors the ranks of a machine have together. A launcher may have bound each process to some of its own,
 * so that the Java runtime sees one; what the launcher has itself is then what it has dealt out.
 */
final class BoundProcessors {
    private static final String ALLOWED = "Cpus_allowed_list:";

    private BoundProcessors() {}

    /** Returns the processors of this process, or those of the one that has started it if it may use more. */
    static int ofJob() {
        int own = Runtime.getRuntime().availableProcessors();
        return ProcessHandle.current().parent()
                .map(parent -> combined(own, allowed("self"), allowed(Long.toString(parent.pid())))).orElse(own);
    }

    /**
     * Decides.
     *
     * @param own    what the Java runtime sees, which quotas may have lessened
     * @param bound  processors that this process may run on; 0 if that is not known
     * @param parent processors that the process that has started it may run on; 0 if that is not known
     * @return processors of all ranks of this machine
     */
    static int combined(int own, int bound, int parent) {
        return bound > 0 && bound == own && parent > bound ? parent : own;
    }

    /** Reads what Linux says of a process; 0 elsewhere, or if it may not be read. */
    private static int allowed(String process) {
        try {
            return count(Files.readAllLines(Path.of("/proc", process, "status"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return 0;
        }
    }

    /** Counts the processors that a process may run on, from the lines of its status, as in {@code 0-3,8}. */
    static int count(List<String> status) {
        int count = 0;
        for (String line : status) {
            if (line.startsWith(ALLOWED)) {
                for (String range : line.substring(ALLOWED.length()).strip().split(",")) {
                    if (!range.matches("\\d{1,6}(-\\d{1,6})?")) {
                        return 0;
                    }
                    String[] ends = range.split("-");
                    count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
                }
            }
        }
        return count;
    }
}
