// What a driver needs of the program that has loaded it: see mutexes.c. There is nothing to call.
