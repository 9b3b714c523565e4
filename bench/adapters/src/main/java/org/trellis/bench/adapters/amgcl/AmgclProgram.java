package org.trellis.bench.adapters.amgcl;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.trellis.bench.peer.solver.PeerFailedException;

/**
 * The program that solves with amgcl, compiled for this machine into a folder that goes with this process.
 *
 * @param file    what to run
 * @param library which amgcl it is, and who compiled it
 */
record AmgclProgram(Path file, String library) {
    private static final String SOURCE = "amgcl-solver.cpp";
    private static final List<String> OPTIONS =
            List.of("-std=c++17", "-O3", "-march=native", "-fopenmp", "-DAMGCL_NO_BOOST");

    /** Finds a compiler in the path. */
    static Optional<Path> compiler() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of("g++", "clang++")
                .flatMap(name -> Stream.of(path.split(Pattern.quote(File.pathSeparator)))
                        .filter(folder -> !folder.isBlank()).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable).findFirst();
    }

    /** Compiles the program with the headers in a folder; takes about ten seconds. */
    static AmgclProgram compile(Path headers) throws IOException {
        Path compiler = compiler().orElseThrow(() -> new PeerFailedException("peer amgcl: no compiler of C++"));
        Path folder = Files.createTempDirectory("trellis-amgcl");
        folder.toFile().deleteOnExit();
        Path source = folder.resolve(SOURCE);
        Path program = folder.resolve("amgcl-solver");
        Path output = folder.resolve("compiler.txt");
        for (Path made : List.of(source, program, output)) {
            made.toFile().deleteOnExit();
        }
        try (InputStream resource = AmgclProgram.class.getResourceAsStream(SOURCE)) {
            Files.copy(resource, source);
        }
        List<String> line = Stream.of(List.of(compiler.toString()), OPTIONS,
                List.of("-I", headers.toString(), source.toString(), "-o", program.toString()))
                .flatMap(List::stream).toList();
        int code = await(new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start());
        if (code != 0) {
            throw new PeerFailedException("peer amgcl: `" + String.join(" ", line) + "` ended with " + code + ": "
                    + Files.readString(output).lines().limit(5).reduce("", (all, one) -> all + "\n  " + one));
        }
        return new AmgclProgram(program, "amgcl, compiled by " + compiler.getFileName() + " "
                + String.join(" ", OPTIONS));
    }

    private static int await(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new PeerFailedException("peer amgcl: interrupted while it was compiled", e);
        }
    }
}
