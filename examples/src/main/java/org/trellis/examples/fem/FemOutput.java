package org.trellis.examples.fem;

import java.io.IOException;
import java.util.List;
import org.trellis.bench.console.Console;
import org.trellis.fem.space.FunctionSpace;

/** Writes the pictures and reports that options ask for. */
final class FemOutput {
    private FemOutput() {}

    static void write(FemOptions how, FunctionSpace space, double[] solution, List<String> loops,
            int fields, String name, Console console) throws IOException {
        if (how.vtu() != null) {
            FemPictures.vtu(space, solution, fields, "u", how.vtu());
        }
        if (how.picture() != null) {
            FemPictures.draw(space, solution, fields, "Finite elements on " + name, how.picture());
        }
        loops.forEach(line -> console.print("%s", line));
    }
}
