package org.trellis.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Finite elements know core and nothing beside it. */
class FemGraphTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.trellis.fem");

    @Test
    void classesAreFound() {
        assertFalse(CLASSES.isEmpty());
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("org.trellis.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void noBackendIsKnown() {
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("org.trellis.internal..", "org.trellis.cuda..", "org.trellis.distributed..",
                        "org.trellis.tuner..")
                .check(CLASSES);
    }

    @Test
    void onlyOnePackageUsesTheVectorApi() {
        noClasses().that().resideOutsideOfPackage("org.trellis.fem.simd..")
                .and().haveSimpleNameNotEndingWith("Simd").should().dependOnClassesThat()
                .resideInAPackage("jdk.incubator.vector..").check(CLASSES);
    }

    @Test
    void adaptationIsNotKnownAndFilesToOnePackage() {
        noClasses().should().dependOnClassesThat().resideInAPackage("org.trellis.adapt..").check(CLASSES);
        noClasses().that().resideOutsideOfPackage("org.trellis.fem.file..").should().dependOnClassesThat()
                .resideInAPackage("org.trellis.matrices..").check(CLASSES);
    }

    @Test
    void nothingPrints() {
        noClasses().should().accessField(System.class, "out")
                .orShould().accessField(System.class, "err")
                .orShould().callMethod(Throwable.class, "printStackTrace").check(CLASSES);
    }
}
