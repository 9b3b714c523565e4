package org.trellis.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNamesTest {
    private static final List<String> OPTIONS = List.of("--peer", "--preconditioner", "--precision", "--seconds", "-q");

    @ParameterizedTest
    @CsvSource({"'','',0", "a,'',1", "kitten,sitting,3", "peer,pere,1", "abcd,badc,2", "same,same,0"})
    void countsChanges(String a, String b, int changes) {
        assertEquals(changes, NearestNames.distance(a, b));
        assertEquals(changes, NearestNames.distance(b, a));
    }

    @Test
    void findsWhatWasMeant() {
        assertEquals(List.of("--preconditioner"), NearestNames.of("--perconditioner", OPTIONS));
        assertEquals(List.of("--seconds"), NearestNames.of("--second", OPTIONS));
        assertEquals(List.of("--peer"), NearestNames.of("--pier", OPTIONS));
        assertEquals(List.of("a", "c"), NearestNames.of("b", List.of("c", "a")));
    }

    @Test
    void findsNothingWhereAllIsFar() {
        assertEquals(List.of(), NearestNames.of("--colour", OPTIONS));
        assertEquals(List.of(), NearestNames.of("--peer", List.of()));
    }
}
