package org.trellis.bench.adapters.mkl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;
import org.trellis.common.Precision;

/** Products of sparse matrices by other libraries: EJML always, MKL where its libraries are on the class path. */
class MatrixProductsTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Path json, String... arguments) {
        String[] all = new String[arguments.length + 5];
        String[] first = {"spgemm", "--seconds", "0", "--json", json.toString()};
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(arguments, 0, all, first.length, arguments.length);
        return TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ejml", "mkl"})
    void areThoseOfTrellis(String name) throws IOException {
        Peer peer = Peers.named(name);
        assumeTrue(peer.probe().available(), () -> name + ": " + peer.probe().reason());
        Path json = folder.resolve("spgemm.json");
        for (String product : new String[]{"square", "galerkin"}) {
            assertEquals(ExitCode.OK, run(json, "poisson2d:nx=23", "--peer", name, "--product", product,
                    "--precision", "f64,f32"), err::toString);
            int found = 0;
            for (JsonNode record : new ObjectMapper().readTree(json.toFile()).get("records")) {
                assertTrue(record.get("sameStructure").asBoolean(), record::toString);
                double most = record.get("precision").asText().equals("f64") ? 1e-14 : 1e-5;
                assertTrue(record.get("largestError").asDouble() <= most, record::toString);
                found += record.get("contender").asText().equals(name) ? 1 : 0;
            }
            assertEquals(Stream.of(Precision.values()).filter(peer::multipliesMatrices).count(), found);
        }
    }

    @Test
    void missingLibraryIsSaidAndTheOthersGoOn() {
        Peer mkl = Peers.named("mkl");
        assumeTrue(!mkl.probe().available(), "MKL is there");
        assertEquals(ExitCode.FAILED, run(folder.resolve("spgemm.json"), "poisson2d:nx=9", "--peer", "mkl,ejml"));
        assertTrue(err.toString().contains("peer mkl is left out: the libraries of MKL were not found"), err::toString);
        assertTrue(out.toString().contains("ejml"), out::toString);
    }
}
