/** First guesses: parameters for a matrix by profile, model or rule. */
package org.trellis.tuner.product.advice;
