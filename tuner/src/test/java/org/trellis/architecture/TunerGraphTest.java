package org.trellis.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;

/** What the tuner may know: no backend's insides, no learning library but where models are learnt. */
class TunerGraphTest {
    private static final JavaClasses TUNER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.trellis.tuner");

    @Test
    void classesAreFound() {
        assertFalse(TUNER.isEmpty());
    }

    @Test
    void onlyTrainingUsesSmile() {
        noClasses().that().resideOutsideOfPackage("org.trellis.tuner.train..")
                .should().dependOnClassesThat().resideInAPackage("smile..").check(TUNER);
    }

    @Test
    void nobodyUsesTraining() {
        noClasses().that().resideOutsideOfPackage("org.trellis.tuner.train..")
                .should().dependOnClassesThat().resideInAPackage("org.trellis.tuner.train..").check(TUNER);
    }

    @Test
    void onlyProfilesUseJson() {
        noClasses().that().resideOutsideOfPackage("org.trellis.tuner.profile..")
                .should().dependOnClassesThat().resideInAPackage("com.fasterxml..").check(TUNER);
    }

    @Test
    void noBackendIsKnown() {
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("org.trellis.cuda..", "org.trellis.internal..", "org.trellis.matrices..")
                .check(TUNER);
    }

    @Test
    void onlyFormsKnowFiniteElements() {
        noClasses().that().resideOutsideOfPackage("org.trellis.tuner.form..").and().doNotHaveSimpleName("FormResult")
                .should().dependOnClassesThat().resideInAPackage("org.trellis.fem..").check(TUNER);
    }

    @Test
    void packagesFormNoCycle() {
        SlicesRuleDefinition.slices().matching("org.trellis.tuner.(*)..").should().beFreeOfCycles().check(TUNER);
    }

    @Test
    void roomsOfProductsFormNoCycle() {
        SlicesRuleDefinition.slices().matching("org.trellis.tuner.product.(*)..").should().beFreeOfCycles()
                .check(TUNER);
    }

    @Test
    void productsAndLoopsShareTheContestOnly() {
        noClasses().that().resideInAPackage("org.trellis.tuner.product..")
                .should().dependOnClassesThat().resideInAPackage("org.trellis.tuner.loop..").check(TUNER);
        noClasses().that().resideInAPackage("org.trellis.tuner.loop..")
                .should().dependOnClassesThat().resideInAPackage("org.trellis.tuner.product..").check(TUNER);
        noClasses().that().resideInAPackage("org.trellis.tuner.contest..")
                .should().dependOnClassesThat()
                .resideInAnyPackage("org.trellis.tuner.product..", "org.trellis.tuner.loop..").check(TUNER);
    }

    @Test
    void nothingPrints() {
        noClasses().should().accessField(System.class, "out")
                .orShould().accessField(System.class, "err")
                .orShould().callMethod(Throwable.class, "printStackTrace").check(TUNER);
    }
}
