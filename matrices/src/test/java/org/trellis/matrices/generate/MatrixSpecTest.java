package org.trellis.matrices.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;

class MatrixSpecTest {
    private static int rows(String spec) {
        return MatrixSpec.parse(spec).kind().generator(MatrixSpec.parse(spec).arguments()).rows();
    }

    @Test
    void numbersMayBeWrittenInManyWays() {
        assertEquals(1_000_000, rows("poisson2d:nx=1e6,ny=1"));
        assertEquals(1024, rows("poisson2d:nx=2^10,ny=1"));
        assertEquals(12_000, rows("poisson2d:nx=12_000,ny=1"));
        assertEquals(1500, rows("poisson2d:nx=1.5e3,ny=1"));
        assertEquals(1, rows("poisson2d:nx=2^0,ny=1"));
    }

    @Test
    void parametersDefaultToOthers() {
        assertEquals(25, rows("poisson2d:nx=5"));
        assertEquals(5 * 5 * 2, rows("poisson3d:nx=5,nz=2"));
        assertEquals(1_000_000, rows("poisson2d"));
        assertEquals(1_000_000, rows("poisson2d:"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"poison2d|near matches: poisson2d",
        "poisson2d:nx=0|nx is '0', expected a whole",
        "poisson2d:nx=1.5|nx is '1.5'", "poisson2d:nx=3e9|expected a whole number from 1 to 2147483639",
        "poisson2d:nx=2^99999|nx is '2^99999'", "poisson2d:nx=1__0|nx is '1__0'", "poisson2d:nx=_1|nx is '_1'",
        "poisson2d:nx=abc|nx is 'abc'", "poisson2d:nx=e5|nx is 'e5'", "poisson2d:nx=.|nx is '.'",
        "poisson2d:mx=5|parameter mx is unknown, expected one of nx, ny, points",
        "poisson2d:points=6|expected one of 5, 7, 9", "poisson2d:nx|'nx', expected parameter=value",
        "poisson2d:nx=|'nx=', expected parameter=value", "poisson2d:nx=5,,ny=3|'', expected parameter=value",
        "poisson2d:nx=5,nx=6|nx is given twice", "anisotropic2d:epsilon=NaN|epsilon is 'NaN', expected a number",
        "anisotropic2d:epsilon=0|epsilon is '0'", "anisotropic2d:epsilon=1e999|epsilon is '1e999'",
        "elasticity2d:poisson=0.5|expected a number from 0.0 to", "rmat:a=0.9,b=0.9|a, b, c are 0.9, 0.9, 0.19",
        "poisson2d:nx=1e5|grid of 100000 x 100000", "random:seed=x|seed is 'x', expected a whole number of 64 bits",
        "'':nx=1|is unknown"})
    void mistakesAreNamed(String spec, String part) {
        StencilsTest.assertMessage(part, () -> MatrixSpec.parse(spec));
    }

    @ParameterizedTest
    @ValueSource(strings = {"poisson2d", "poisson3d", "anisotropic2d", "jump2d", "jump3d", "elasticity2d",
        "elasticity3d", "convection2d", "convection3d", "helmholtz2d", "helmholtz3d", "stokes2d", "stokes3d", "mixed2d",
        "random", "banded", "blockdiagonal", "block", "geometric", "rmat", "graph"})
    void everyKindIsListedWithParametersThatHaveDefaults(String name) {
        GeneratorKind kind = GeneratorKind.named(name);
        assertTrue(kind.generator(Map.of()).rows() > 0);
        assertFalse(kind.description().isEmpty());
        for (Parameter parameter : kind.parameters()) {
            String byDefault = parameter.defaultText();
            assertTrue(byDefault.startsWith("=") || parameter.accepts(byDefault), parameter.toString());
        }
    }

    @Test
    void everyListedKindIsTested() {
        assertEquals(21, GeneratorKind.all().size());
    }

    @Test
    void choicesReachTheGenerator() {
        Map<String, Integer> rowsBySpec = Map.of("random:rows=10,columns=20,lengths=normal,mean=3,deviation=1", 10,
                "random:rows=11,lengths=power,exponent=2.2,max=5", 11,
                "random:rows=12,lengths=huge,mean=2,hugeLength=9",
                12, "jump2d:nx=4,field=inclusions,share=0.5,contrast=1e-3", 16, "jump3d:nx=2", 8,
                "elasticity2d:nx=2,plane=stress,poisson=0.25", 12,
                "geometric:points=40,dimensions=3,mean=5,shuffle=yes,values=dominant", 40,
                "rmat:scale=4,symmetric=yes,duplicates=drop,loops=no",
                16, "block:blockRows=5,block=2,values=ones,window=3", 10, "banded:n=7,density=0.5,values=uniform", 7);
        rowsBySpec.forEach((spec, rows) -> assertEquals(rows,
                MatrixSpec.parse(spec).generate(Precision.F64, ProgressListener.NONE).rows(), spec));
        assertEquals(12, MatrixSpec.parse("random:rows=12,lengths=huge,mean=2,hugeLength=9")
                .generate(Precision.F64, ProgressListener.NONE).nonZeros() - 11 * 2 + 3);
    }

    @Test
    void specificationsPrintAsTheyWereWritten() {
        assertEquals("poisson2d:nx=2^5,ny=7", MatrixSpec.parse("poisson2d:nx=2^5,ny=7").toString());
        assertEquals("rmat", MatrixSpec.parse("rmat").toString());
        assertEquals(MatrixSpec.parse("rmat:scale=3"), MatrixSpec.parse("rmat:scale=3"));
    }

    @Test
    void otherTextsAreNoSpecifications() {
        assertTrue(MatrixSpec.parseIfSpec("folder/poisson2d.mtx").isEmpty());
        assertTrue(MatrixSpec.parseIfSpec("surrogate:cant").isEmpty());
        assertTrue(MatrixSpec.parseIfSpec("poisson2d:nx=3").isPresent());
        StencilsTest.assertMessage("nx is", () -> MatrixSpec.parseIfSpec("poisson2d:nx=-3"));
    }
}
