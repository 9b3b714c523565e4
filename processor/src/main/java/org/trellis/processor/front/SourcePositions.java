package org.trellis.processor.front;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.tools.Diagnostic;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.diagnostic.Position;

/** Numbers the trees of one source file, and reports errors at them, each once. */
final class SourcePositions implements Diagnostics {
    private final Trees trees;
    private final CompilationUnitTree unit;
    private final List<Tree> places = new ArrayList<>();
    private final Set<String> reported = new HashSet<>();

    SourcePositions(Trees trees, CompilationUnitTree unit) {
        this.trees = trees;
        this.unit = unit;
    }

    /** Returns the place of a tree. */
    Position at(Tree tree) {
        places.add(tree);
        return new Position(places.size() - 1);
    }

    /** Says whether anything was reported. */
    boolean failed() {
        return !reported.isEmpty();
    }

    @Override
    public void error(Code code, Position at, String message) {
        Tree place = at.number() < 0 ? unit : places.get(at.number());
        // The statements of unrolled loops and inlined functions occur several times.
        long line = trees.getSourcePositions().getStartPosition(unit, place);
        if (reported.add(code.label() + " " + line)) {
            trees.printMessage(Diagnostic.Kind.ERROR, code.label() + ": " + message, place, unit);
        }
    }
}
