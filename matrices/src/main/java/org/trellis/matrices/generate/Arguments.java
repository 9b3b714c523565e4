package org.trellis.matrices.generate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The checked arguments of a generator: one text for each of its parameters. */
final class Arguments {
    private final Map<String, String> texts;

    private Arguments(Map<String, String> texts) {
        this.texts = texts;
    }

    /**
     * Checks what was given and adds the defaults.
     *
     * @param kind       name of the generator, for messages
     * @param parameters its parameters
     * @param given      texts by parameter name
     * @throws IllegalArgumentException if a name is unknown or a text is no value of its parameter
     */
    static Arguments of(String kind, List<Parameter> parameters, Map<String, String> given) {
        List<String> names = parameters.stream().map(Parameter::name).toList();
        for (String name : given.keySet()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException("generator " + kind + ": parameter " + name
                        + " is unknown, expected one of " + String.join(", ", names));
            }
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (Parameter parameter : parameters) {
            String text = given.get(parameter.name());
            if (text == null) {
                String byDefault = parameter.defaultText();
                texts.put(parameter.name(), byDefault.startsWith("=") ? texts.get(byDefault.substring(1)) : byDefault);
            } else if (parameter.accepts(text)) {
                texts.put(parameter.name(), text);
            } else {
                throw new IllegalArgumentException("generator " + kind + ": " + parameter.name() + " is '" + text
                        + "', expected " + parameter.expected());
            }
        }
        return new Arguments(texts);
    }

    int integer(String name) {
        return (int) seed(name);
    }

    long seed(String name) {
        return NumberText.wholeNumber(texts.get(name)).orElseThrow();
    }

    double real(String name) {
        return NumberText.number(texts.get(name)).orElseThrow();
    }

    String text(String name) {
        return texts.get(name);
    }

    boolean yes(String name) {
        return texts.get(name).equals("yes");
    }

    <E extends Enum<E>> E choice(String name, Class<E> type) {
        return Enum.valueOf(type, texts.get(name).toUpperCase(Locale.ROOT));
    }
}
