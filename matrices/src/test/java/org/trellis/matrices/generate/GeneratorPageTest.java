package org.trellis.matrices.generate;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.trellis.matrices.GeneratedSection;

/** Keeps the tables of docs/reference/generators.md equal to the code; {@code -Dtrellis.test.update=true} rewrites. */
class GeneratorPageTest {
    @Test
    void pageListsKindsAndParameters() throws IOException {
        StringBuilder text = new StringBuilder();
        for (GeneratorKind kind : GeneratorKind.all()) {
            text.append("\n### ").append(kind.name()).append("\n\n").append(kind.description())
                    .append("\n\n| parameter | default | value | meaning |\n| --- | --- | --- | --- |\n");
            for (Parameter parameter : kind.parameters()) {
                text.append("| `").append(parameter.name()).append("` | `").append(parameter.shownDefault())
                        .append("` | ").append(parameter.expected()).append(" | ").append(parameter.description())
                        .append(" |\n");
            }
        }
        GeneratedSection.check("generators.md", "kinds", text.append('\n').toString());
    }
}
