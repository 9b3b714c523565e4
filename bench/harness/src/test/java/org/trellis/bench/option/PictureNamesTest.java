package org.trellis.bench.option;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PictureNamesTest {
    @Test
    void noTwoMatricesShareAName() {
        PictureNames names = new PictureNames();
        assertEquals(new PictureNames.Name("x", ""), names.of("x", "a/x.mtx"));
        assertEquals(new PictureNames.Name("x-2", "named x-2, as x is taken by a/x.mtx"), names.of("x", "b/x.mtx"));
        assertEquals("X-3", names.of("X", "c/X.mtx").stem(), "some file systems do not tell X from x");
        assertEquals("x-2-2", names.of("x-2", "x-2.mtx").stem(), "taken by the second");
        assertEquals("p_n_1", names.of("p:n,1", "p:n,1").stem());
        assertEquals("p_n_1-2", names.of("p;n;1", "p;n;1").stem());
    }
}
