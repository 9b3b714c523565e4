package org.trellis.bench.adapters.ranks;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSolution;

/**
 * The processes of a peer, each with a connection over which it is given what to do and reports what came of it. A
 * process that ends is noticed at once, by the end of its connection; then all of them are ended.
 */
final class RankProcesses implements AutoCloseable {
    private static final int CONNECT_SECONDS = 120;
    private static final int LOOK_MILLISECONDS = 50;
    private static final int END_SECONDS = 10;
    /** Nanoseconds, of more years than anybody waits. */
    private static final double LONGEST = 1e18;

    private final String name;
    private final Process process;
    private final Path output;
    private final List<Connection> ranks = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    private RankSpec.Hello hello;
    private boolean broken;

    /** A line of a process; null at the end of its connection. */
    private record Message(Connection from, String line) {}

    /** A process that has come. */
    private record Connection(Socket socket, Writer out) {
        void say(String line) throws IOException {
            out.write(line + '\n');
            out.flush();
        }
    }

    private RankProcesses(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /**
     * Waits for processes that were started.
     *
     * @param name    who they are, for messages
     * @param process the launcher, or the only process
     * @param output  where they print
     * @param server  where they call
     * @param spec    what they were given
     * @return the job, when all of them have their rows
     * @throws PeerFailedException if one does not come; all are ended then
     */
    static RankProcesses await(String name, Process process, Path output, ServerSocket server, RankSpec spec) {
        RankProcesses job = new RankProcesses(name, process, output);
        try {
            server.setSoTimeout(LOOK_MILLISECONDS);
            long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONNECT_SECONDS);
            while (job.ranks.size() < spec.processes()) {
                job.accept(server);
                job.greet(spec);
                if (!process.isAlive() && job.messages.isEmpty() && job.ranks.size() < spec.processes()) {
                    throw job.failure("ended with " + process.exitValue() + " before its processes were there");
                }
                if (job.connections.size() < spec.processes() && System.nanoTime() > limit) {
                    throw job.failure("has started " + job.connections.size() + " processes within " + CONNECT_SECONDS
                            + " s, expected " + spec.processes());
                }
            }
            return job;
        } catch (IOException e) {
            job.close();
            throw new PeerFailedException(name + ": " + e.getMessage(), e);
        } catch (PeerFailedException e) {
            job.close();
            throw e;
        }
    }

    private void accept(ServerSocket server) throws IOException {
        try {
            Socket socket = server.accept();
            Connection connection =
                    new Connection(socket, new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8));
            connections.add(connection);
            Thread.ofPlatform().daemon().name("trellis-peer-" + connections.size()).start(() -> listen(connection));
        } catch (SocketTimeoutException e) {
            return; // Looks at the other things and comes back.
        }
    }

    private void listen(Connection connection) {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(connection.socket().getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                messages.add(new Message(connection, line));
            }
        } catch (IOException e) {
            messages.add(new Message(connection, null));
            return;
        }
        messages.add(new Message(connection, null));
    }

    private void greet(RankSpec spec) {
        for (Message message = messages.poll(); message != null; message = messages.poll()) {
            if (message.line() == null) {
                throw failure("lost a process before it had its rows");
            }
            RankSpec.Hello said = parse(message.line(), RankSpec.Hello.class);
            if (!spec.token().equals(said.token())) {
                throw failure("was called by a process that is none of its own");
            }
            if (said.error() != null) {
                throw failure("cannot begin: " + said.error());
            }
            hello = said;
            ranks.add(message.from());
        }
    }

    private <T> T parse(String line, Class<T> type) {
        try {
            return RankSpec.MAPPER.readValue(line, type);
        } catch (JsonProcessingException e) {
            throw new PeerFailedException(
                    name + " said '" + line + "', expected a " + type.getSimpleName() + " as JSON",
                    e);
        }
    }

    private PeerFailedException failure(String what) {
        broken = true;
        waitForEnd(1);
        return new PeerFailedException(name + " " + what + RankJvm.lastWords(output));
    }

    /** Returns what the processes said of themselves. */
    RankSpec.Hello hello() {
        return hello;
    }

    /**
     * Has the system solved.
     *
     * @param seconds time after which the processes are ended
     * @return the longest times of all processes, and what one of them says of the solution
     */
    PeerSolution solve(double seconds) {
        long limit = System.nanoTime() + (long) Math.min(seconds * 1e9, LONGEST);
        try {
            for (Connection rank : ranks) {
                rank.say(RankMain.SOLVE);
            }
        } catch (IOException e) {
            broken = true;
            throw new PeerFailedException(name + " cannot be asked to solve: " + e.getMessage()
                    + RankJvm.lastWords(output), e);
        }
        PeerSolution all = null;
        for (int answers = 0; answers < ranks.size(); answers++) {
            RankSpec.Answer one = answer(limit, seconds);
            all = new PeerSolution(Math.max(one.setupSeconds(), all == null ? 0 : all.setupSeconds()),
                    Math.max(one.solveSeconds(), all == null ? 0 : all.solveSeconds()), one.iterations(),
                    one.converged(), one.residual(), one.reason());
        }
        return all;
    }

    private RankSpec.Answer answer(long limit, double seconds) {
        try {
            Message message = messages.poll(limit - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (message == null) {
                throw failure("was not done after " + seconds + " s, the time that is allowed, and is ended");
            }
            if (message.line() == null) {
                throw failure("lost a process in the middle of a solution");
            }
            RankSpec.Answer said = parse(message.line(), RankSpec.Answer.class);
            if (said.error() != null) {
                throw failure("failed: " + said.error());
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("was interrupted");
        }
    }

    private boolean waitForEnd(int seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (!broken && process.isAlive()) {
            for (Connection rank : ranks) {
                try {
                    rank.say(RankMain.END);
                } catch (IOException e) {
                    broken = true; // It has gone already.
                }
            }
        }
        if (broken || ranks.isEmpty() || !waitForEnd(END_SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            waitForEnd(END_SECONDS);
        }
        for (Connection connection : connections) {
            try {
                connection.socket().close();
            } catch (IOException e) {
                broken = true; // Nothing was to be said any more.
            }
        }
    }
}
