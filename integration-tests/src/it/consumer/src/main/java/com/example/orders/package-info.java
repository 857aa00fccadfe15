/** A program that uses Loam as a library, as the README shows it; read {@code Orders} first. */
package com.example.orders;
