package org.trellis.bench.adapters.ranks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that says what the option {@code say} has it say, and knows no library. */
final class FakeRank {
    /** The option with what it is to do. */
    static final String SAY = "say";

    private FakeRank() {}

    /**
     * Runs it.
     *
     * @param arguments as of {@link RankMain}
     * @throws IOException if no program listens
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals(RankMain.FIND)) {
            System.out.println("a line of another program");
            if (arguments[1].equals("nothing")) {
                System.exit(7);
            }
            System.out.println(RankSpec.line(new RankSpec.Found("fake 1", MpiLauncher.OPEN_MPI, "no MPI", null)));
            return;
        }
        RankSpec spec = RankSpec.read(Path.of(arguments[1]));
        String say = spec.options().get(SAY);
        System.out.println("my last words");
        if (say.equals("no hello")) {
            System.exit(5);
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), spec.port());
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                Writer out = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8)) {
            String token = say.equals("stranger") ? "open sesame" : spec.token();
            write(out, RankSpec.line(new RankSpec.Hello(token, 0, 1, ProcessHandle.current().pid(), "fake 1", "no MPI",
                    say.equals("no library") ? "no such file" : null)));
            for (String line = in.readLine(); RankMain.SOLVE.equals(line); line = in.readLine()) {
                answer(out, say);
            }
        }
    }

    private static void answer(Writer out, String say) throws IOException {
        switch (say) {
            case "die" -> Runtime.getRuntime().halt(9);
            case "garbage" -> write(out, "done, I think");
            case "sleep" -> {
                return;
            }
            case "error" -> write(out, RankSpec.line(RankSpec.Answer.failed("HYPRE_Oops returned 1")));
            default -> write(out, RankSpec.line(RankSpec.Answer.of(0.25, 1.5,
                    new RankSolver.Outcome(12, true, Double.NaN, "fine"))));
        }
    }

    private static void write(Writer out, String line) throws IOException {
        out.write(line + '\n');
        out.flush();
    }
}
