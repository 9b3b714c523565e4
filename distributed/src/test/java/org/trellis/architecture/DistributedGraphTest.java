package org.trellis.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;

/** What the packages of the distributed layer may know. */
class DistributedGraphTest {
    private static final String ROOT = "org.trellis.distributed.";
    private static final JavaClasses DISTRIBUTED = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.trellis.distributed");

    @Test
    void classesAreFound() {
        assertFalse(DISTRIBUTED.isEmpty());
    }

    @Test
    void transportsKnowNothingOfMatrices() {
        noClasses().that().resideInAPackage(ROOT + "communicate..").should().dependOnClassesThat()
                .resideInAnyPackage(ROOT + "partitioned..", ROOT + "halo..", ROOT + "powers..", "org.trellis.sparse..")
                .check(DISTRIBUTED);
    }

    @Test
    void matricesKnowNothingOfHalos() {
        noClasses().that().resideInAPackage(ROOT + "partitioned..").should().dependOnClassesThat()
                .resideInAnyPackage(ROOT + "halo..", ROOT + "powers..").check(DISTRIBUTED);
    }

    @Test
    void halosKnowNothingOfProducts() {
        noClasses().that().resideInAPackage(ROOT + "halo..").should().dependOnClassesThat()
                .resideInAPackage(ROOT + "powers..").check(DISTRIBUTED);
    }

    @Test
    void meshesKnowNothingOfTheirBalance() {
        noClasses().that().resideInAPackage(ROOT + "mesh..").should().dependOnClassesThat()
                .resideInAPackage(ROOT + "balance..").check(DISTRIBUTED);
    }

    @Test
    void noBackendIsKnown() {
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("org.trellis.cuda..", "org.trellis.internal..", "org.trellis.matrices..")
                .check(DISTRIBUTED);
    }

    @Test
    void onlyFormsKnowFiniteElements() {
        noClasses().that().resideOutsideOfPackage(ROOT + "fem..").should().dependOnClassesThat()
                .resideInAnyPackage("org.trellis.fem..", ROOT + "fem..").check(DISTRIBUTED);
    }

    @Test
    void packagesFormNoCycle() {
        SlicesRuleDefinition.slices().matching("org.trellis.distributed.(**)").should().beFreeOfCycles()
                .check(DISTRIBUTED);
    }

    @Test
    void nothingPrints() {
        noClasses().should().accessField(System.class, "out")
                .orShould().accessField(System.class, "err")
                .orShould().callMethod(Throwable.class, "printStackTrace").check(DISTRIBUTED);
    }
}
