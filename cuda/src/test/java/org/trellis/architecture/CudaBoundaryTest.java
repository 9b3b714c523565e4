package org.trellis.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import org.junit.jupiter.api.Test;

/** Native code is called in one package only. */
class CudaBoundaryTest {
    private static final String DRIVER = "org.trellis.cuda.driver..";
    private static final JavaClasses CUDA = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.trellis.cuda");

    @Test
    void classesAreFound() {
        assertFalse(CUDA.isEmpty());
    }

    @Test
    void onlyTheBoundaryCallsNativeCode() {
        noClasses().that().resideOutsideOfPackage(DRIVER)
                .should().dependOnClassesThat().resideInAPackage("jcuda..")
                .orShould().dependOnClassesThat().belongToAnyOf(Linker.class, SymbolLookup.class).check(CUDA);
    }

    @Test
    void theBoundaryKnowsNothingAboveIt() {
        noClasses().that().resideInAPackage(DRIVER).should().dependOnClassesThat()
                .resideInAnyPackage("org.trellis.cuda", "org.trellis.cuda.compile..", "org.trellis.cuda.runtime..",
                        "org.trellis.cuda.sparse..")
                .check(CUDA);
    }

    @Test
    void onlyFormsKnowFiniteElements() {
        noClasses().that().resideOutsideOfPackage("org.trellis.cuda.fem..").should().dependOnClassesThat()
                .resideInAnyPackage("org.trellis.fem..", "org.trellis.cuda.fem..").check(CUDA);
    }

    @Test
    void packagesFormNoCycle() {
        SlicesRuleDefinition.slices().matching("org.trellis.(**)").should().beFreeOfCycles().check(CUDA);
    }
}
