package org.trellis.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void threeDigits() {
        assertEquals("12.3", Numbers.real(12.34));
        assertEquals("-1.23", Numbers.real(-1.234));
        assertEquals("123", Numbers.real(123.4));
        assertEquals("0.012", Numbers.real(0.0123));
        assertEquals("1.00e-05", Numbers.real(1e-5));
        assertEquals("1.00e+06", Numbers.real(1e6));
        assertEquals("0", Numbers.real(0));
        assertEquals("1,234,567", Numbers.count(1_234_567));
        assertEquals("12 %", Numbers.percent(0.123));
    }

    @Test
    void unitsKeepThemShort() {
        assertEquals("1.50 ms", Numbers.seconds(0.0015));
        assertEquals("15.0 µs", Numbers.seconds(15e-6));
        assertEquals("2.00 s", Numbers.seconds(2));
        assertEquals("0 s", Numbers.seconds(0));
        assertEquals("0.100 ns", Numbers.seconds(1e-10));
        assertEquals("999 B", Numbers.bytes(999));
        assertEquals("1.50 MB", Numbers.bytes(1_500_000));
        assertEquals("?", Numbers.bytes(-1));
    }
}
