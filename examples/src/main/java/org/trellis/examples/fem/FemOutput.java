package org.trellis.examples.fem;

import java.io.IOException;
import org.trellis.bench.console.Console;
import org.trellis.fem.space.FunctionSpace;

/** Writes the pictures and reports that options ask for. */
final class FemOutput {
    private FemOutput() {}

    static void write(FemOptions how, FunctionSpace space, FemSolver solver, int fields, String name, Console console)
            throws IOException {
        if (how.vtu() != null) {
            FemPictures.vtu(space, solver.solution(), fields, "u", how.vtu());
        }
        if (how.picture() != null) {
            FemPictures.draw(space, solver.solution(), fields, "Finite elements on " + name, how.picture());
        }
        if (how.report()) {
            solver.loops().forEach(line -> console.print("%s", line));
        }
    }
}
