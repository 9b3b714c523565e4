package org.trellis.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The package graph of core: a package uses lower ones only, and no package uses the insides of a backend. */
class PackageGraphTest {
    private static final String ROOT = "org.trellis.";
    private static final String INTERNAL = ROOT + "internal..";

    /** The levels of the architecture; packages of one level do not use each other either. */
    private static final List<List<String>> LEVELS = List.of(
            List.of("common", "file"),
            List.of("kernel", "memory"),
            List.of("backend"),
            List.of("mesh.order"),
            List.of("mesh.partition"),
            List.of("mesh.loop"),
            List.of("mesh.device"),
            List.of("mesh", "sparse"),
            List.of("mesh.plan", "mesh.tile", "mesh.assembly", "mesh.checkpoint"),
            List.of("mesh.matrix"),
            List.of("sparse.algebra"),
            List.of("solve.."),
            List.of("systems"),
            List.of("internal.."));

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.trellis");

    @Test
    void classesOfCoreAreFound() {
        assertFalse(CORE.isEmpty());
    }

    @Test
    void packagesUseOnlyLowerOnes() {
        LayeredArchitecture levels = layeredArchitecture().consideringOnlyDependenciesInLayers()
                .withOptionalLayers(true);
        for (List<String> level : LEVELS) {
            for (String name : level) {
                levels = levels.layer(name).definedBy(ROOT + name);
            }
        }
        List<String> lower = new ArrayList<>();
        for (List<String> level : LEVELS) {
            for (String name : level) {
                levels = lower.isEmpty()
                        ? levels.whereLayer(name).mayNotAccessAnyLayer()
                        : levels.whereLayer(name).mayOnlyAccessLayers(lower.toArray(String[]::new));
            }
            lower.addAll(level);
        }
        levels.check(CORE);
    }

    @Test
    void everyPackageHasItsLevel() {
        String[] known = LEVELS.stream().flatMap(List::stream).map(name -> ROOT + name).toArray(String[]::new);
        classes().should().resideInAnyPackage(known).check(CORE);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("org.trellis.(**)").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void onlySimdAndGeneratedLoopsUseTheVectorApi() {
        noClasses().that().resideOutsideOfPackage(ROOT + "internal.simd..").and().haveSimpleNameNotEndingWith("Simd")
                .should().dependOnClassesThat().resideInAPackage("jdk.incubator.vector..").check(CORE);
    }

    @Test
    void onlyOnePackageUsesForeignMemoryOrFunctions() {
        noClasses().that().resideOutsideOfPackage(ROOT + "internal.nativepartitioners..").should().dependOnClassesThat()
                .resideInAPackage("java.lang.foreign..").check(CORE);
    }

    @Test
    void backendsDoNotLeakOut() {
        noClasses().that().resideOutsideOfPackage(INTERNAL)
                .should().dependOnClassesThat().resideInAPackage(INTERNAL).allowEmptyShould(true).check(CORE);
    }

    @Test
    void nothingPrints() {
        noClasses().should().accessField(System.class, "out")
                .orShould().accessField(System.class, "err")
                .orShould().callMethod(Throwable.class, "printStackTrace").check(CORE);
    }
}
