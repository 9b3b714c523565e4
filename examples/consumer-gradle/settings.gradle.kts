rootProject.name = "consumer-gradle"
