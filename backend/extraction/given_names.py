"""Common given names of many countries: a name that starts with one belongs to a person.

General knowledge like place names, and incomplete: other names may be persons as well.
"""

_NAMES = """
Aaron Abdul Abdullah Abigail Adam Adele Adrian Agnes Ahmed Aidan Aisha Akira Alan Albert Alejandro
Alessandro Alex Alexander Alexandra Alfred Ali Alice Alicia Alina Alison Allan Amanda Amelia Amina
Amir Amy Ana Anders Andre Andrea Andreas Andrew Andrzej Angela Angus Anita Ann Anna Anne Annette
Anthony Antonio Arjun Arthur Arun Astrid Audrey Ayesha Barbara Beatrice Ben Benjamin Bernard Beth
Bethany Bianca Birgit Bjorn Bob Boris Brandon Brenda Brian Bridget Bruce Bruno Callum Camila Carl
Carla Carlos Carmen Carol Caroline Catherine Cecilia Charles Charlotte Cheng Chloe Chris Christian
Christina Christine Christopher Claire Clara Claudia Colin Connor Craig Cynthia Daisy Dan Daniel
Daniela David Dawn Deborah Deepak Denis Dennis Derek Diana Diane Diego Dieter Dimitri Dmitri Dominic
Donald Donna Dora Doris Dorothy Douglas Duncan Dylan Edgar Edith Edward Eileen Elaine Eleanor Elena
Eli Elif Elisa Elizabeth Ella Ellen Emil Emily Emma Emmanuel Eric Erik Erika Ernest Esther Ethan Eva
Evan Evelyn Fatima Felix Fergus Fernando Fiona Florence Frances Francesca Francis Francisco Frank
Fred Frederick Frieda Gabriel Gareth Gary Gavin Gemma Geoffrey George Georgia Gerald Gerard Gillian
Giovanni Giulia Glenn Gloria Gordon Grace Graham Greg Gregory Greta Guillermo Gustav Hamish Hana
Hannah Hans Harold Harriet Harry Hassan Hazel Heather Hector Heidi Helen Helena Helga Henri Henrik
Henry Herbert Hilary Hiroshi Holly Howard Hugh Hugo Ian Ibrahim Ida Ines Ingrid Irene Iris Irina
Isaac Isabel Isabella Ivan Ivy Jack Jacob Jacqueline Jaime James Jamie Jan Jane Janet Janice Jasmine
Jason Javier Jean Jeff Jeffrey Jennifer Jeremy Jerome Jesse Jessica Jessie Jill Jim Jo Joan Joanna
Joanne Joe Joel Johan Johanna John Johannes Jon Jonas Jonathan Jordan Jorge Jose Josef Joseph
Josephine Joshua Joyce Juan Judith Julia Julian Juliana Julie Julien Jun Justin Karen Karin Karl
Karol Katarina Kate Katharina Katherine Kathleen Kathryn Katie Keith Kelly Ken Kenneth Kerry Kevin
Kim Kirsten Klaus Krishna Kurt Lakshmi Lara Lars Laura Lauren Laurence Lawrence Lea Leah Lee Leila
Lena Leo Leon Leonard Lewis Liam Lilian Lily Linda Lisa Liz Lloyd Lorenzo Lotte Louis Louisa Louise
Lucas Lucia Lucy Luigi Luis Luke Lydia Lynn Magdalena Malcolm Manuel Marc Marcel Marco Marcus
Margaret Maria Marian Marie Marina Mario Marion Mark Markus Marta Martha Martin Martina Mary Mateo
Mathias Matthew Maureen Maurice Max Maya Megan Mei Melanie Melissa Mercy Mia Michael Michel Michelle
Miguel Mike Milan Mohamed Mohammed Moira Molly Mona Monica Monika Morgan Muhammad Nadia Nancy Naomi
Natalia Natalie Natasha Nathan Neil Nelson Ngoc Nicholas Nick Nicola Nicole Nigel Nikolai Nina Noah
Noel Nora Norman Olaf Olga Oliver Olivia Omar Oscar Otto Owen Pablo Pamela Patricia Patrick Paul
Paula Pauline Pavel Pedro Peggy Penelope Per Peter Philip Philippa Phoebe Pierre Piotr Priya Rachel
Rafael Rahul Raj Rajesh Ralph Ramesh Ramon Raymond Rebecca Rhys Ricardo Richard Rita Robert Roberta
Roberto Robin Rodney Roger Roland Ronald Rosa Rose Rosemary Ross Roy Rupert Ruth Ryan Sabine Sally
Sam Samantha Samir Samuel Sandra Sanjay Santiago Sara Sarah Sean Sebastian Sergei Sergio Seth Shane
Shannon Sharon Sheila Shirley Silvia Simon Simone Siobhan Sofia Sonia Sophia Sophie Stanley Stefan
Stella Stephanie Stephen Steve Steven Stuart Sunita Suresh Susan Susanne Suzanne Sven Svetlana
Sylvia Takeshi Tamara Tania Tanya Tara Tariq Ted Teresa Terence Terry Thea Theo Theodore Theresa
Thomas Tim Timothy Tina Tobias Todd Tom Tomas Tomasz Tony Tracey Tracy Trevor Ursula Valentina
Valerie Vanessa Vera Vernon Veronica Victor Victoria Vijay Vincent Viola Violet Virginia Vivian
Vladimir Walter Wanda Wang Warren Wayne Wei Wendy Werner Wilfred Wilhelm William Willem Winifred
Wolfgang Xavier Yan Yasmin Yuki Yuri Yusuf Yvonne Zara Zoe Zofia
"""
GIVEN_NAMES = frozenset(_NAMES.lower().split())
