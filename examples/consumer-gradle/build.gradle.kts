// The project of consumer-maven/on-class-path for Gradle: docs/installing.md says what has been tried of it.
plugins {
    application
}

repositories {
    mavenLocal() // where `mvn install` puts Trellis
    mavenCentral()
}

val trellis = platform("org.trellis:trellis-bom:0.1.0-SNAPSHOT")

dependencies {
    implementation(trellis)
    implementation("org.trellis:trellis-core")
    implementation("org.trellis:trellis-matrices")

    // Turns @MeshKernel methods into loops.
    annotationProcessor(trellis)
    annotationProcessor("org.trellis:trellis-processor")
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(25)
    }
}

application {
    mainClass = "com.example.FirstSteps"
    applicationDefaultJvmArgs = listOf("--add-modules", "jdk.incubator.vector")
}
