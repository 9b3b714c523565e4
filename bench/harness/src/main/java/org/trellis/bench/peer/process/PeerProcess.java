package org.trellis.bench.peer.process;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM in which a peer computes, with the options of this one. It ends when it is closed or this process ends. */
final class PeerProcess implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final int END_SECONDS = 5;
    private static final int LAST_LINES = 4;

    private final String peer;
    private final Process process;
    private final Path errors;
    private final DataOutputStream out;
    private final DataInputStream in;

    private PeerProcess(String peer, Process process, Path errors) {
        this.peer = peer;
        this.process = process;
        this.errors = errors;
        this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), BUFFER));
        this.in = new DataInputStream(new BufferedInputStream(process.getInputStream(), BUFFER));
    }

    /** Writes the operands of a request. */
    interface Operands {
        void write(DataOutputStream to) throws IOException;
    }

    /** Reads the answer to a request. */
    interface Answer<T> {
        T read(DataInputStream from) throws IOException;
    }

    @MustBeClosed
    static PeerProcess start(String peer) {
        try {
            Path errors = Files.createTempFile("trellis-peer-" + peer, ".txt");
            Process process =
                    new ProcessBuilder(command(peer)).redirectError(errors.toFile()).start();
            return new PeerProcess(peer, process, errors);
        } catch (IOException e) {
            throw new IllegalStateException("a process for peer " + peer + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** The other process has at most half as much heap, for one of the copies of a matrix that this one holds. */
    private static List<String> command(String peer) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!option.startsWith("-javaagent") && !option.startsWith("-agent") && !option.startsWith("-Xrun")) {
                line.add(option);
            }
        }
        // The JVM's own warnings must not get into the answers.
        line.addAll(List.of("-XX:+DisplayVMOutputToStderr",
                "-Xmx" + Math.max(64, Runtime.getRuntime().maxMemory() >> 21) + "m", "-cp",
                System.getProperty("java.class.path"), PeerMain.class.getName(), peer));
        return line;
    }

    /**
     * Asks for something.
     *
     * @param request  what
     * @param operands with what
     * @param answer   reads the answer
     * @return the answer
     * @throws IllegalStateException if the process could not do it, or is not there any more
     */
    @SuppressWarnings("EnumOrdinal") // both processes run the same classes
    <T> T ask(Request request, Operands operands, Answer<T> answer) {
        try {
            out.writeByte(request.ordinal());
            operands.write(out);
            out.flush();
            if (in.readBoolean()) {
                return answer.read(in);
            }
            throw new IllegalStateException(in.readUTF());
        } catch (IOException e) {
            throw new IllegalStateException("the process of peer " + peer + " " + ending(), e);
        }
    }

    private String ending() {
        try {
            boolean ended = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            String how = ended ? "has ended with " + process.exitValue() : "does not answer";
            List<String> lines = new String(Files.readAllBytes(errors), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isBlank()).toList();
            return lines.isEmpty()
                    ? how
                    : how + "; its last words: "
                            + String.join(" / ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return "is gone, and what it said cannot be read: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "was waited for in vain: this thread was interrupted";
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** For tests. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    /** The process ends when there are no more requests. */
    @Override
    public void close() {
        try {
            out.close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        if (!errors.toFile().delete()) {
            errors.toFile().deleteOnExit();
        }
    }
}
