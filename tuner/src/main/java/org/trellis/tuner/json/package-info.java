/** What is wrong with a text that should be JSON, in our own words. */
package org.trellis.tuner.json;
